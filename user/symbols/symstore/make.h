/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: makes GSYM files in a jail. The source files belong
 * to the profiled users: one that crashes its reader, or uses too much memory or time,
 * only ends the jail.
 */
#ifndef USTACK_USER_SYMSTORE_MAKE_H
#define USTACK_USER_SYMSTORE_MAKE_H

#include "host/jail/jail.h"
#include "symbols/symstore/symstore.h"

/*
 * Limits of the jail: seconds of CPU time and of real time, and memory beyond that of the
 * caller's process: a number of bytes for each byte of the file, and a minimum.
 */
#define MAKE_MAX_SECONDS 600u
#define MAKE_MAX_WAIT 1800u
#define MAKE_MEMORY_FACTOR 8u
#define MAKE_MEMORY_LEAST (2ull << 30)

/**
 * struct make_job - the GSYM file to make
 * @fd: descriptor of the file
 * @size: size of the file in bytes
 * @path: path of the file as its users see it
 * @debug: path of its debug file; NULL to search for one
 * @build_id: build id that @debug must have, @build_id_len bytes
 * @build_id_len: number of bytes; 0 if there is no @debug
 * @only_debug: @fd is the debug file, as the file itself was not found
 * @bsym: descriptor of a BSYM file, or -1. Names are made from it and from what the file
 *        exports; no debug file is used, and @fd is -1 if the file was not found
 * @bsym_path: path of the BSYM file, for messages
 * @debug_dirs: folders with debug files, ends with NULL
 * @out: descriptor that the GSYM file is written to
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
 * struct make - a running job; zeroed if there is none
 * @jail: the jail that does it
 * @words: pipe on which the jail sends its struct make_result
 */
struct make {
	struct jail jail;
	int words;
};

/**
 * struct make_result - result of a job
 * @source: source of the names, SYMSTORE_NOTHING if there are none
 * @has_start: @start is known, see debug_start(); only with @only_debug
 * @start: link-time address of the file's first byte
 * @reason: the reason why there are no names or fewer than possible; else ""
 */
struct make_result {
	enum symstore_source source;
	uint8_t has_start;
	uint64_t start;
	char reason[256];
};

/* Starts a job. Return: 0 or a negative errno. */
int make_start(struct make *m, const struct make_job *job);

/**
 * make_end() - take the result, if there is one
 * @m: the running job
 * @wait: wait until it is done or its time is over
 * @ret: set if true is returned
 *
 * Return: false if the job is still running.
 */
bool make_end(struct make *m, bool wait, struct make_result *ret);

/* Ends a running job; does nothing if there is none. */
void make_kill(struct make *m);

#endif /* USTACK_USER_SYMSTORE_MAKE_H */
