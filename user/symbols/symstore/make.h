/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: a GSYM is made in a jail. The files are those of the profiled users:
 * one that breaks its reader, or eats memory or time, costs that jail and no more.
 */
#ifndef USTACK_USER_SYMSTORE_MAKE_H
#define USTACK_USER_SYMSTORE_MAKE_H

#include "host/jail/jail.h"
#include "symbols/symstore/symstore.h"

/* It may take so many seconds of the CPU and by the clock, and so much memory for each byte of its
 * file, beside what its starter has.
 */
#define MAKE_MAX_SECONDS 600u
#define MAKE_MAX_WAIT 1800u
#define MAKE_MEMORY_FACTOR 8u
#define MAKE_MEMORY_LEAST (2ull << 30)

/**
 * struct make_job - what to make
 * @fd: the file
 * @size: of it, bytes
 * @path: of it, as its users see it
 * @debug: path of its debug file, or NULL: then it is looked for
 * @build_id: that @debug must have, first @build_id_len bytes; 0 if there is no @debug
 * @build_id_len: of it
 * @only_debug: @fd is that of @debug, as the file itself could not be had
 * @bsym: descriptor of a BSYM file, or -1: names are made of it and what the file exports,
 *        and no debug file counts; then @fd is -1 if the file could not be had
 * @bsym_path: of it, for messages
 * @debug_dirs: where to look, ends with NULL
 * @out: descriptor that the GSYM is written to
 */
struct make_job {
	int fd;
	uint64_t size;
	const char *path;
	const char *debug;
	const uint8_t *build_id;
	unsigned int build_id_len;
	bool only_debug;
	int bsym;
	const char *bsym_path;
	const char *const *debug_dirs;
	int out;
};

/**
 * struct make - the making of one; zeroed, there is none
 * @jail: where it is made
 * @words: gives what it has to say when it ends
 */
struct make {
	struct jail jail;
	int words;
};

/**
 * struct make_result - what became of it
 * @source: what it was made of, SYMSTORE_NOTHING if it could not be
 * @has_start: of an @only_debug: @start is known, see debug_start()
 * @start: of the file
 * @reason: why there is none or less than there could be; "" else
 */
struct make_result {
	enum symstore_source source;
	uint8_t has_start;
	uint64_t start;
	char reason[256];
};

/* Starts it. Return: 0 or a negative errno. */
int make_start(struct make *m, const struct make_job *job);

/**
 * make_end() - is it done?
 * @m: started
 * @wait: until it is, or its time is over
 * @ret: on true
 *
 * Return: false while it goes on.
 */
bool make_end(struct make *m, bool wait, struct make_result *ret);

/* Gives it up. */
void make_kill(struct make *m);

#endif /* USTACK_USER_SYMSTORE_MAKE_H */
