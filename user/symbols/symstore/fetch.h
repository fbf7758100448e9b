/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: fetches debug files from servers with debuginfod's
 * own client. It runs in a jail with network access and limits for size and time, in a
 * folder that is removed afterwards. The fetched file is then read in another jail
 * (make.h), which checks its build id.
 */
#ifndef USTACK_USER_SYMSTORE_FETCH_H
#define USTACK_USER_SYMSTORE_FETCH_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/jail/jail.h"

/* Bytes of a folder's path; a longer $TMPDIR is not used. */
#define FETCH_DIR_BYTES 256u

/**
 * struct fetch_order - the debug file to fetch
 * @urls: URLs of servers, separated by blanks
 * @seconds: limit for the time
 * @bytes: limit for the size of the file
 * @build_id: the build id, @build_id_len bytes
 * @build_id_len: number of bytes, at least 2
 */
struct fetch_order {
	const char *urls;
	unsigned int seconds;
	uint64_t bytes;
	const uint8_t *build_id;
	unsigned int build_id_len;
};

/**
 * struct fetch - a running fetch; zeroed if there is none
 * @jail: the jail that fetches
 * @answer: socket on which the jail sends its result
 * @folder: path of the jail's folder: in $TMPDIR if every user may write there, else in
 *          /var/tmp
 */
struct fetch {
	struct jail jail;
	int answer;
	char folder[FETCH_DIR_BYTES + 32];
};

/* Starts to fetch. Return: 0 or a negative errno. */
int fetch_start(struct fetch *f, const struct fetch_order *order);

/**
 * fetch_end() - take the result, if there is one
 * @f: the running fetch
 * @fd: descriptor of the file, open for reading, -1 if there is none; the caller closes
 *      it
 * @err: 0 or a positive errno: ENOENT: no server has the file; ETIME: it took too long;
 *       EFBIG: it is too large; EPROTO: a server failed; ENOPKG: the client's library is
 *       not installed; ...
 *
 * Does not wait for an answer. After an answer or at the deadline it waits for the jail's
 * end and the removal of its folder, 11 seconds at most.
 *
 * Return: false if the fetch is still running.
 */
bool fetch_end(struct fetch *f, int *fd, int *err);

/* Ends a running fetch; does nothing if there is none. */
void fetch_kill(struct fetch *f);

#endif /* USTACK_USER_SYMSTORE_FETCH_H */
