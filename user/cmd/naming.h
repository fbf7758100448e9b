/* SPDX-License-Identifier: GPL-2.0-only */
/* What symbolize and symbolizer share: where names come from, and what is said meanwhile. */
#ifndef USTACK_USER_CMD_NAMING_H
#define USTACK_USER_CMD_NAMING_H

#include "cmd.h"
#include "cmd/progress.h"
#include "cmd/servers.h"
#include "symbols/symstore/symstore.h"

/**
 * struct naming - the options
 * @file_dirs: what the store is given, which is borrowed, as is @debug_dirs
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

/* Of struct option_spec; @n: a struct naming. */
#define NAMING_OPTIONS(n)                                                                       \
	OPTION_STRING(0, "file-dir", "DIR", &(n).file_dir,                                      \
		      "look for programs and libraries there, too"),                            \
	OPTION_STRING(0, "debug-dir", "DIR", &(n).debug_dir,                                    \
		      "where debug files are (/usr/lib/debug)"),                                \
	OPTION_STRING(0, "bsym-dir", "DIR", &(n).bsym_dir, BSYM_DIR_HELP),                      \
	OPTION_STRING(0, "cache", "DIR", &(n).cache,                                            \
		      "where names are kept (~/.cache/ustack/symbols)"),                        \
	OPTION_U64(0, "cache-size", "MB", &(n).cache_mb, "keep it within this (2048)"),         \
	OPTION_FLAG(0, "debuginfod", &(n).debuginfod, SERVERS_FLAG_HELP),                       \
	OPTION_STRING(0, "debuginfod-urls", "URLS", &(n).servers, SERVERS_URLS_HELP)

/* Return: %CMD_RUN, or as cmd_bad_usage() if the options do not hold. */
int naming_check(struct naming *n, const struct cmd_usage *usage);

/* Return: 0, with a store that is released before @n is, or a negative errno. */
int naming_open(struct naming *n, struct symstore **ret, struct diag *diag);

/* @done of @all files are named, and @path is next. */
void naming_show(struct naming *n, unsigned int done, unsigned int all, const char *path);

/* For _cleanup_(). */
void naming_close(struct symstore **s);

#endif /* USTACK_USER_CMD_NAMING_H */
