// SPDX-License-Identifier: GPL-2.0-only
/* ustack symbolize: names the functions of a profile that was recorded without names. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "cmd/imagemap_input.h"
#include "cmd/input.h"
#include "cmd/naming.h"
#include "cmd/symbolize_map.h"
#include "profile/pprof.h"
#include "symbols/symstore/lines.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

struct symbolize_opts {
	const char *output;
	struct naming naming;
	const char *imagemap;
	struct option_u64 pid;
	bool json;
};

static const struct cmd_usage usage = {
	.command = "ustack symbolize",
	.synopsis = "[-o FILE] [--file-dir DIR] [--debug-dir DIR] [FILE]\n"
		    "[...] --imagemap FILE|BASE64 [-p PID] [ADDRESS...]",
	.about = "Names the functions of a profile that was recorded with --raw, here or\n"
		 "elsewhere, by the build ids of its files. Or names addresses of a process by its\n"
		 "image map.",
};

static bool show_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	struct symbolize_opts *o = arg;

	naming_show(&o->naming, done, all, path);
	return true;
}

/* Clears the progress line at the end, before results are printed. */
static bool show_map_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	struct symbolize_opts *o = arg;

	show_progress(done, all, path, arg);
	if (done == all)
		progress_wipe(&o->naming.progress);
	return true;
}

/* Names addresses of a process by its image map. */
static int run_map(struct symbolize_opts *o, int argc, char **argv)
{
	_cleanup_(imagemap_release) struct imagemap map = IMAGEMAP_INIT;
	_cleanup_(naming_close) struct symstore *store = NULL;
	struct symbolize_map m = {
		.map = &map, .json = o->json, .progress = show_map_progress, .arg = o,
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int err;

	err = o->pid.set ? cmd_imagemap_of_profile(o->imagemap, (uint32_t)o->pid.value, &map,
						   NULL, &diag) :
			   cmd_imagemap_read(o->imagemap, 0, &map, NULL, &diag);
	err = err ? err : naming_open(&o->naming, &store, &diag);
	if (err)
		return cmd_diag(&diag);
	imagemap_sort(&map);
	m.store = store;
	progress_init(&o->naming.progress, NULL);
	err = symbolize_map(&m, argc ? argv : NULL, argc, &diag);
	return err ? cmd_diag(&diag) : CMD_OK;
}

/* Saves a profile of perf's; its functions got names when it was read. */
static int save_perf(const struct symbolize_opts *o, const struct profile *p, struct diag *diag)
{
	uint32_t i, named = 0;
	int err = pprof_save(p, o->output, diag);

	if (err)
		return cmd_diag(diag);
	for (i = 1; i < p->nr_locations; i++)
		named += p->locations[i].nr_lines != 0;
	if (!o->naming.quiet)
		fprintf(stderr, "ustack: %" PRIu32 " of %" PRIu32 " addresses have names\n", named,
			p->nr_locations - 1);
	return CMD_OK;
}

static int run(struct symbolize_opts *o, const char *path)
{
	_cleanup_(profile_cleanup) struct profile *p = NULL;
	_cleanup_(naming_close) struct symstore *store = NULL;
	struct symstore_named named;
	struct diag diag;
	bool perf = cmd_is_perf(path);
	int err = file_can_replace(o->output ? o->output : path, &diag);

	if (!err && !o->output && perf)
		err = diag_set(&diag, EINVAL, path,
			       "is a file of perf's, which is not replaced: -o FILE says where the "
			       "profile goes");
	if (!err)
		err = cmd_load_profile(&path, &(struct cmd_input){ .naming = &o->naming,
							      .keep_times = true }, &p,
				       &diag);
	if (!err && perf)
		return save_perf(o, p, &diag);
	if (!err)
		err = naming_open(&o->naming, &store, &diag);
	if (err)
		return cmd_diag(&diag);
	progress_init(&o->naming.progress, NULL);
	err = symstore_profile(store, p, show_progress, o, &named);
	progress_wipe(&o->naming.progress);
	if (err)
		diag_errno(&diag, -err, path);
	else
		err = pprof_save(p, o->output ? o->output : path, &diag);
	if (err)
		return cmd_diag(&diag);
	if (o->naming.quiet)
		return CMD_OK;
	fprintf(stderr, "ustack: %" PRIu32 " of %" PRIu32 " addresses got names", named.named,
		named.locations);
	if (named.unnamed)
		fprintf(stderr, "; %" PRIu32 " are in functions without one, which are called by file "
			"and address", named.unnamed);
	fprintf(stderr, "; %" PRIu32 " of %" PRIu32 " files were not found\n", named.missing,
		named.images);
	return CMD_OK;
}

int cmd_symbolize(int argc, char **argv)
{
	struct symbolize_opts o = { .naming = NAMING_INIT };
	const struct option_spec specs[] = {
		OPTION_STRING('o', "output", "FILE", &o.output,
			      "write this file instead of replacing FILE"),
		NAMING_OPTIONS(o.naming),
		OPTION_STRING(0, "imagemap", "FILE", &o.imagemap,
			      "name addresses of the process with this map"),
		OPTION_FLAG(0, "json", &o.json, "with --imagemap: JSON, a line for each address"),
		OPTION_U64('p', "pid", "PID", &o.pid,
			   "with --imagemap: FILE is a profile; use this process"),
		OPTION_FLAG('q', "quiet", &o.naming.quiet, "report only failures"),
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
	status = naming_check(&o.naming, &usage);
	if (status != CMD_RUN)
		return status;
	if (o.imagemap)
		return run_map(&o, argc, argv);
	path = argc ? argv[0] : CMD_PROFILE;
	return run(&o, path);
}
