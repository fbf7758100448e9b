/* SPDX-License-Identifier: GPL-2.0-only */
/* Options that say where names come from, and the messages and progress while they are found. */
#ifndef USTACK_USER_CMD_NAMING_H
#define USTACK_USER_CMD_NAMING_H

#include "cmd.h"
#include "cmd/progress.h"
#include "cmd/servers.h"
#include "symbols/symstore/symstore.h"

/**
 * struct naming - options for finding names, and what is made from them
 * @file_dirs: list that the store is given; the store borrows it, and @debug_dirs
 */
struct naming {
	const char *file_dir;
	const char *debug_dir;
	const char *bsym_dir;
	const char *cache;
	struct option_u64 cache_mb;
	bool debuginfod;
	const char *servers;
	bool quiet;
	struct progress progress;
	const char *file_dirs[2];
	const char *debug_dirs[2];
};

#define NAMING_INIT { .cache_mb = { .value = SYMSTORE_CACHE_BYTES >> 20 } }

/* Entries for an array of struct option_spec; @n: a struct naming. */
#define NAMING_OPTIONS(n)                                                                       \
	OPTION_STRING(0, "file-dir", "DIR", &(n).file_dir,                                      \
		      "also look for programs and libraries in DIR"),                           \
	OPTION_STRING(0, "debug-dir", "DIR", &(n).debug_dir,                                    \
		      "directory of debug files (/usr/lib/debug)"),                             \
	OPTION_STRING(0, "bsym-dir", "DIR", &(n).bsym_dir, BSYM_DIR_HELP),                      \
	OPTION_STRING(0, "cache", "DIR", &(n).cache,                                            \
		      "cache of names (~/.cache/ustack/symbols)"),                              \
	OPTION_U64(0, "cache-size", "MB", &(n).cache_mb, "limit of the cache (2048)"),          \
	OPTION_FLAG(0, "debuginfod", &(n).debuginfod, SERVERS_FLAG_HELP),                       \
	OPTION_STRING(0, "debuginfod-urls", "URLS", &(n).servers, SERVERS_URLS_HELP)

/* Return: %CMD_RUN, or the result of cmd_bad_usage() if the options are wrong. */
int naming_check(struct naming *n, const struct cmd_usage *usage);

/* Prints a note about names, unless --quiet was given. @naming: a struct naming. */
void naming_note(const char *text, void *naming);

/* Return: 0 or a negative errno. The caller frees the store before @n is released. */
int naming_open(struct naming *n, struct symstore **ret, struct diag *diag);

/* Shows progress: @done of @all files have their names, and @path is next. */
void naming_show(struct naming *n, unsigned int done, unsigned int all, const char *path);

/* Cleanup function for _cleanup_(). */
void naming_close(struct symstore **s);

#endif /* USTACK_USER_CMD_NAMING_H */
