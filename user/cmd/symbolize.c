// SPDX-License-Identifier: GPL-2.0
/* ustack symbolize: names for a profile that was recorded without. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "cmd/imagemap_input.h"
#include "cmd/progress.h"
#include "cmd/symbolize_map.h"
#include "profile/pprof.h"
#include "servers.h"
#include "symstore/lines.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

struct symbolize_opts {
	const char *output;
	const char *file_dir;
	const char *debug_dir;
	const char *bsym_dir;
	const char *cache;
	struct option_u64 cache_mb;
	bool debuginfod;
	const char *servers;
	bool quiet;
	struct progress progress;
	const char *imagemap;
	struct option_u64 pid;
	bool json;

	/* what the store is given, which is borrowed */
	const char *file_dirs[2];
	const char *debug_dirs[2];
};

static const struct cmd_usage usage = {
	.command = "ustack symbolize",
	.synopsis = "[-o FILE] [--file-dir DIR] [--debug-dir DIR] [FILE]\n"
		    "[...] --imagemap FILE|BASE64 [-p PID] [ADDRESS...]",
	.about = "Gives the functions of a profile that was recorded with --raw, here or\n"
		 "elsewhere, their names, by the build ids of its files. Or names addresses of a\n"
		 "process whose image map is at hand.",
};

static void free_profile(struct profile **p)
{
	profile_free(*p);
}

static void free_store(struct symstore **s)
{
	symstore_free(*s);
}

static void say(const char *text, void *arg)
{
	struct symbolize_opts *o = arg;

	if (!o->quiet)
		progress_note(&o->progress, text);
}

static bool show_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	struct symbolize_opts *o = arg;

	if (!o->quiet)
		progress_names(&o->progress, done, all, path);
	return true;
}

static int open_store(struct symbolize_opts *o, struct symstore **ret, struct diag *diag)
{
	const struct symstore_options options = {
		.cache = o->cache, .cache_bytes = o->cache_mb.value << 20,
		.file_dirs = o->file_dirs, .debug_dirs = o->debug_dir ? o->debug_dirs : NULL,
		.bsym_dir = o->bsym_dir, .servers = o->servers,
		.note = say, .arg = o,
	};

	o->file_dirs[0] = o->file_dir;
	o->debug_dirs[0] = o->debug_dir;
	return symstore_new(&options, ret, diag);
}

/* Nothing is left of it in front of what is printed then. */
static bool show_map_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	struct symbolize_opts *o = arg;

	show_progress(done, all, path, arg);
	if (done == all)
		progress_wipe(&o->progress);
	return true;
}

/* Addresses of a process, by its image map. */
static int run_map(struct symbolize_opts *o, int argc, char **argv)
{
	_cleanup_(imagemap_release) struct imagemap map = IMAGEMAP_INIT;
	_cleanup_(free_store) struct symstore *store = NULL;
	struct symbolize_map m = {
		.map = &map, .json = o->json, .progress = show_map_progress, .arg = o,
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int err;

	err = o->pid.set ? cmd_imagemap_of_profile(o->imagemap, (uint32_t)o->pid.value, &map,
						   NULL, &diag) :
			   cmd_imagemap_read(o->imagemap, 0, &map, NULL, &diag);
	err = err ? err : open_store(o, &store, &diag);
	if (err)
		return cmd_diag(&diag);
	imagemap_sort(&map);
	m.store = store;
	progress_init(&o->progress, NULL);
	err = symbolize_map(&m, argc ? argv : NULL, argc, &diag);
	return err ? cmd_diag(&diag) : CMD_OK;
}

static int run(struct symbolize_opts *o, const char *path)
{
	_cleanup_(free_profile) struct profile *p = NULL;
	_cleanup_(free_store) struct symstore *store = NULL;
	struct symstore_named named;
	struct diag diag;
	int err = file_can_replace(o->output ? o->output : path, &diag);

	if (!err)
		err = pprof_load(path, &p, &diag);
	if (!err)
		err = open_store(o, &store, &diag);
	if (err)
		return cmd_diag(&diag);
	progress_init(&o->progress, NULL);
	err = symstore_profile(store, p, show_progress, o, &named);
	progress_wipe(&o->progress);
	if (err)
		diag_errno(&diag, -err, path);
	else
		err = pprof_save(p, o->output ? o->output : path, &diag);
	if (err)
		return cmd_diag(&diag);
	if (!o->quiet)
		fprintf(stderr, "ustack: %" PRIu32 " of %" PRIu32
			" addresses got names; %" PRIu32 " of %" PRIu32 " files were not found\n",
			named.named, named.locations, named.missing, named.images);
	return CMD_OK;
}

int cmd_symbolize(int argc, char **argv)
{
	struct symbolize_opts o = { .cache_mb = { .value = SYMSTORE_CACHE_BYTES >> 20 } };
	const struct option_spec specs[] = {
		OPTION_STRING('o', "output", "FILE", &o.output,
			      "the profile with names; else it is replaced"),
		OPTION_STRING(0, "file-dir", "DIR", &o.file_dir,
			      "look for programs and libraries there, too"),
		OPTION_STRING(0, "debug-dir", "DIR", &o.debug_dir,
			      "where debug files are (/usr/lib/debug)"),
		OPTION_STRING(0, "bsym-dir", "DIR", &o.bsym_dir, BSYM_DIR_HELP),
		OPTION_STRING(0, "cache", "DIR", &o.cache,
			      "where names are kept (~/.cache/ustack/symbols)"),
		OPTION_U64(0, "cache-size", "MB", &o.cache_mb, "keep it within this (2048)"),
		OPTION_FLAG(0, "debuginfod", &o.debuginfod, SERVERS_FLAG_HELP),
		OPTION_STRING(0, "debuginfod-urls", "URLS", &o.servers, SERVERS_URLS_HELP),
		OPTION_STRING(0, "imagemap", "FILE", &o.imagemap,
			      "name addresses of the process with this image map"),
		OPTION_FLAG(0, "json", &o.json, "with --imagemap: JSON, a line for each address"),
		OPTION_U64('p', "pid", "PID", &o.pid,
			   "with --imagemap: FILE is a profile, of this process"),
		OPTION_FLAG('q', "quiet", &o.quiet, "say nothing but what went wrong"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);
	const char *path;

	if (status != CMD_RUN)
		return status;
	if (!o.imagemap && argc > 1)
		return cmd_bad_usage(&usage, "takes one profile");
	if (o.imagemap ? !!o.output : o.pid.set || o.json)
		return cmd_bad_usage(&usage, o.imagemap ? "-o does not go with --imagemap" :
							  "-p and --json go with --imagemap");
	if (o.pid.value > INT32_MAX)
		return cmd_bad_usage(&usage, "-p: no number of a process");
	if (!o.cache_mb.value || o.cache_mb.value > UINT32_MAX)
		return cmd_bad_usage(&usage, "--cache-size: 1 MB to 4 PB");
	if (!servers_choose(o.debuginfod, &o.servers))
		return cmd_bad_usage(&usage, SERVERS_NONE);
	if (o.imagemap)
		return run_map(&o, argc, argv);
	path = argc ? argv[0] : "ustack.pb.gz";
	return run(&o, path);
}
