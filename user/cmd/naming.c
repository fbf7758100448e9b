// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the store of names that the options of a command describe. Used by the commands that
 * name functions: symbolize, symbolizer, report, annotate, flame and top.
 */
#include "cmd/naming.h"

#include "util/poison.h"

int naming_check(struct naming *n, const struct cmd_usage *usage)
{
	if (!n->cache_mb.value || n->cache_mb.value > UINT32_MAX)
		return cmd_bad_usage(usage, "--cache-size: 1 MB to 4 PB");
	return servers_choose(n->debuginfod, &n->servers) ? CMD_RUN :
							    cmd_bad_usage(usage, SERVERS_NONE);
}

void naming_note(const char *text, void *naming)
{
	struct naming *n = naming;

	if (!n->quiet)
		progress_note(&n->progress, text);
}

int naming_open(struct naming *n, struct symstore **ret, struct diag *diag)
{
	const struct symstore_options options = {
		.cache = n->cache, .cache_bytes = n->cache_mb.value << 20,
		.file_dirs = n->file_dirs, .debug_dirs = n->debug_dir ? n->debug_dirs : NULL,
		.bsym_dir = n->bsym_dir, .servers = n->servers, .note = naming_note, .arg = n,
	};

	n->file_dirs[0] = n->file_dir;
	n->debug_dirs[0] = n->debug_dir;
	return symstore_new(&options, ret, diag);
}

void naming_show(struct naming *n, unsigned int done, unsigned int all, const char *path)
{
	if (!n->quiet)
		progress_names(&n->progress, done, all, path);
}

void naming_close(struct symstore **s)
{
	symstore_free(*s);
}
