/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: debug files from servers, by debuginfod's own client, in a jail that
 * has the network, with limits of size and time, in a folder that is removed again. What it brings
 * is read in another one (make.h), which must find the build id in it.
 */
#ifndef USTACK_USER_SYMSTORE_FETCH_H
#define USTACK_USER_SYMSTORE_FETCH_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/jail/jail.h"

/* A longer $TMPDIR is not used. */
#define FETCH_DIR_BYTES 256u

/**
 * struct fetch_order - what to fetch
 * @urls: of servers, separated by blanks
 * @seconds: it may take
 * @bytes: it may have
 * @build_id: first @build_id_len bytes
 * @build_id_len: at least 2
 */
struct fetch_order {
	const char *urls;
	unsigned int seconds;
	uint64_t bytes;
	const uint8_t *build_id;
	unsigned int build_id_len;
};

/**
 * struct fetch - the fetching of a file; zeroed, there is none
 * @jail: where it is fetched
 * @answer: socket that brings the file's descriptor
 * @folder: that it works in: of $TMPDIR, if everybody may make one there, or of /var/tmp
 */
struct fetch {
	struct jail jail;
	int answer;
	char folder[FETCH_DIR_BYTES + 32];
};

/* Starts it. Return: 0 or a negative errno. */
int fetch_start(struct fetch *f, const struct fetch_order *order);

/**
 * fetch_end() - is it done?
 * @f: started
 * @fd: the file, open for reading; to be closed by the caller; -1 if there is none
 * @err: why not, a positive errno: ENOENT: the servers have none; ETIME: it took too long;
 *       EFBIG: it is too large; EPROTO: a server failed; ENOPKG: the client's library is not installed; ...
 *
 * Waits for no answer, but for the end of what has answered or is late, and until its folder is gone:
 * a second and ten at most. Return: false while it goes on.
 */
bool fetch_end(struct fetch *f, int *fd, int *err);

/* Gives it up. */
void fetch_kill(struct fetch *f);

#endif /* USTACK_USER_SYMSTORE_FETCH_H */
