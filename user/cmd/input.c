// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the profile of a command; its first bytes tell its format. Used by all commands that
 * read profiles.
 */
#include "cmd/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/perfimport/perfimport.h"
#include "profile/pprof.h"
#include "util/cleanup.h"

#include "util/poison.h"

static bool show_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	naming_show(arg, done, all, path);
	return true;
}

static int load_perf(struct file_stream *s, const struct cmd_input *input, struct profile **ret,
		     struct diag *diag)
{
	struct naming own = NAMING_INIT, *n = input && input->naming ? input->naming : &own;
	const char *file_dirs[] = { n->file_dir, NULL }, *debug_dirs[] = { n->debug_dir, NULL };
	const struct perfimport_options options = {
		.event = input ? input->event : NULL,
		.moments = input ? input->moments : NULL,
		.names = {
			.file_dirs = file_dirs, .debug_dirs = n->debug_dir ? debug_dirs : NULL,
			.bsym_dir = n->bsym_dir, .servers = n->servers, .cache = n->cache,
			.cache_bytes = n->cache_mb.value << 20, .note = naming_note, .arg = n,
		},
		.progress = show_progress, .arg = n,
	};
	int err;

	progress_init(&n->progress, NULL);
	err = perfimport_load(s, &options, ret, diag);
	progress_wipe(&n->progress);
	return err;
}

/* Reads a profile from a pipe: it can be read only once, so it is read into memory. */
static int load_pipe(struct file_stream *s, const struct cmd_input *input, struct profile **ret,
		     struct diag *diag)
{
	const char *name = strcmp(s->path, "-") ? s->path : "/dev/stdin";

	struct file f = { .path = s->path, .fd = -1 };
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	int err = file_stream_copy(s, diag);

	f.fd = s->fd;
	f.size = s->size;
	if (!err)
		err = file_read_new(&f, 0, f.size, &bytes, diag);
	if (err)
		return err;
	if (input && input->keep_times)
		return pprof_parse(bytes, f.size, name, ret, diag);
	return pprof_parse_merged(bytes, f.size, name, input ? input->moments : NULL, ret, diag);
}

static int load(const char *path, const struct cmd_input *input, struct profile **ret,
		struct diag *diag)
{
	_cleanup_(file_stream_release) struct file_stream s = { .fd = -1 };
	int err = file_stream(path, &s, diag);

	if (err)
		return err;
	if (perfimport_is(s.start, s.nr_start))
		return load_perf(&s, input, ret, diag);
	if (input && input->event)
		return diag_set(diag, EINVAL, path, "-e is for files of perf's: of this one, --value "
				"chooses");
	if (!s.regular)
		return load_pipe(&s, input, ret, diag);
	if (input && input->keep_times)
		return pprof_load(path, ret, diag);
	return pprof_load_merged(path, input ? input->moments : NULL, ret, diag);
}

int cmd_load_profile(const char **path, const struct cmd_input *input, struct profile **ret,
		     struct diag *diag)
{
	bool named = *path;
	int err;

	if (!named)
		*path = CMD_PROFILE;
	err = load(*path, input, ret, diag);
	if (err == -ENOENT && !named)
		return diag_set(diag, ENOENT, *path, "there is no such file here: ustack record makes it");
	return err;
}

bool cmd_is_perf(const char *path)
{
	_cleanup_(file_stream_release) struct file_stream s = { .fd = -1 };

	return !file_stream(path, &s, NULL) && s.regular && perfimport_is(s.start, s.nr_start);
}
