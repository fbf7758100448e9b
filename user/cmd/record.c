// SPDX-License-Identifier: GPL-2.0-only
/* ustack record: samples stacks and writes a profile. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/input.h"
#include "cmd/progress.h"
#include "cmd/recording.h"
#include "cmd/servers.h"
#include "profile/pprof.h"
#include "profile/pprof_spool.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/text.h"

#include "util/poison.h"

struct record_opts {
	struct recording recording;
	struct option_u64 delay;
	struct option_u64 duration;
	struct option_u64 max_size;
	const char *output;
	bool timestamps;
	bool raw;
	const char *bsym_dir;
	bool debuginfod;
	const char *servers;
	bool quiet;
	bool verbose;
	bool stacks;		/* -g was given, as perf's users do; it changes nothing */
	const char *call_graph;
	struct progress progress;
};

static const struct cmd_usage usage = {
	.command = "ustack record",
	.synopsis = "[-F HZ] [-e EVENT] [-o FILE] [-d SECONDS] -a\n"
		    "[...] -p PID[,PID...] | -t TID[,TID...]\n"
		    "[...] [--] COMMAND [ARGUMENT...]",
	.about = "Samples stacks, counts equal ones, and writes a profile with the names of their\n"
		 "functions, for report, flame, and whatever reads pprof. Ends with the command,\n"
		 "with the processes, after -d, or by Ctrl-C.",
};

static void say(const char *text, void *arg)
{
	struct record_opts *o = arg;

	if (!o->quiet)
		progress_note(&o->progress, text);
}

static void say_detail(const char *text, void *arg)
{
	struct record_opts *o = arg;

	progress_note(&o->progress, text);
}

static bool show_progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	struct record_opts *o = arg;

	if (!o->quiet)
		progress_names(&o->progress, done, all, path);
	return true;
}

static void print_summary(const struct record_opts *o, const struct record_summary *s)
{
	char whole[PROFILE_WHOLE_TEXT], bytes[TEXT_SHORT];
	struct stat st;
	unsigned int i;

	if (o->quiet)
		return;
	fprintf(stderr, "ustack: %" PRIu64 " samples in %.1f s", s->samples,
		(double)s->ns / 1e9);
	if (*profile_whole_text(&s->whole, whole))
		fprintf(stderr, ", %s", whole);
	if (strcmp(o->output, "-") && !stat(o->output, &st))
		fprintf(stderr, "; %s written to %s",
			text_bytes((uint64_t)st.st_size, bytes), o->output);
	fputc('\n', stderr);
	if (!s->samples && !s->nr_losses)
		fputs("ustack: nothing was sampled: what is recorded ran for less than the time between "
		      "two samples (-F 999 takes more of them), or waited (--off-cpu)\n", stderr);
	for (i = 0; i < s->nr_losses; i++)
		fprintf(stderr, "ustack: not in the profile: %" PRIu64 " samples: %s\n",
			s->losses[i].value, s->losses[i].text);
	if (s->mmaps_lost)
		fprintf(stderr, "ustack: %" PRIu64
			" changes of mappings were missed: some addresses may have no name\n",
			s->mmaps_lost);
}

static void command_comment(struct profile *p, int argc, char **argv)
{
	char text[512] = "command:";
	size_t len = strlen(text);
	int i;

	for (i = 0; i < argc && len < sizeof(text) - 1; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " %s", argv[i]);
	profile_comment(p, text);
}

static void spool_cleanup(struct pprof_spool **spool)
{
	pprof_spool_free(*spool);
}

static int run(struct record_opts *o, int argc, char **argv)
{
	struct record_options options =
		recording_options(&o->recording, argc ? argv : NULL);
	_cleanup_(spool_cleanup) struct pprof_spool *spool = pprof_spool_new(o->output);
	_cleanup_(profile_cleanup) struct profile *p = NULL;
	struct record_summary summary;
	struct diag diag;
	int err;

	if (!spool) {
		diag_errno(&diag, ENOMEM, o->output);
		return cmd_diag(&diag);
	}
	options.spool = spool;
	options.delay_ms = o->delay.value;
	options.duration_ms = o->duration.value;
	options.max_bytes = o->max_size.value;
	/* the time of a sample says little without its thread */
	options.sampler.timestamps = o->timestamps;
	options.sampler.by_thread |= o->timestamps;
	options.raw = o->raw;
	options.bsym_dir = o->bsym_dir;
	options.servers = o->servers;
	options.note = say;
	options.detail = o->verbose ? say_detail : NULL;
	options.progress = show_progress;
	options.arg = o;
	progress_init(&o->progress, NULL);
	err = file_can_replace(o->output, &diag);
	if (!err)
		err = record_session(&options, &p, &summary, &diag);
	progress_wipe(&o->progress);
	if (err)
		return cmd_diag(&diag);
	if (argc)
		command_comment(p, argc, argv);
	err = pprof_save_spooled(p, spool, o->output, &diag);
	if (err)
		return cmd_diag(&diag);
	print_summary(o, &summary);
	return summary.status > 0 ? summary.status : CMD_OK;
}

static void opts_release(struct record_opts *o)
{
	recording_release(&o->recording);
}

/*
 * Accepts perf's methods to take stacks: fp, dwarf[,SIZE], lbr. They change nothing here:
 * --mode chooses the method.
 */
static int check_call_graph(const char *mode)
{
	if (!mode || !strcmp(mode, "fp") || !strcmp(mode, "lbr") || !strcmp(mode, "dwarf") ||
	    !strncmp(mode, "dwarf,", 6))
		return CMD_RUN;
	return cmd_bad_usage(&usage, "--call-graph: '%s' is not fp, dwarf or lbr", mode);
}

static int check_output(const char *output)
{
	if (!*output)
		return cmd_bad_usage(&usage, "-o: which file?");
	if (!strcmp(output, "-") && isatty(STDOUT_FILENO))
		return cmd_bad_usage(&usage, "-o -: a profile is no text for a terminal");
	return CMD_RUN;
}

int cmd_record(int argc, char **argv)
{
	_cleanup_(opts_release) struct record_opts o = {
		.recording = RECORDING_INIT, .output = CMD_PROFILE,
	};
	const struct option_spec specs[] = {
		RECORDING_OPTIONS(o.recording),
		OPTION_MS('D', "delay", "MS", &o.delay, "start after this time, such as 500 or 2s"),
		OPTION_SECONDS('d', "duration", "SECONDS", &o.duration, "end after this"),
		OPTION_BYTES(0, "max-size", "SIZE", &o.max_size,
			     "end before the profile exceeds SIZE, such as 20M"),
		OPTION_STRING('o', "output", "FILE", &o.output,
			      "the profile (" CMD_PROFILE "); - is standard output"),
		OPTION_FLAG(0, "timestamps", &o.timestamps,
			    "keep the time of each sample, and its thread"),
		OPTION_FLAG(0, "raw", &o.raw,
			    "leave naming to ustack symbolize"),
		OPTION_STRING(0, "bsym-dir", "DIR", &o.bsym_dir, BSYM_DIR_HELP),
		OPTION_FLAG(0, "debuginfod", &o.debuginfod, SERVERS_FLAG_HELP),
		OPTION_STRING(0, "debuginfod-urls", "URLS", &o.servers, SERVERS_URLS_HELP),
		OPTION_FLAG('q', "quiet", &o.quiet, "report only failures"),
		OPTION_FLAG('v', "verbose", &o.verbose, "report what it does"),
		/* habits of perf's users: stacks are recorded in any case */
		OPTION_FLAG('g', "stacks", &o.stacks, NULL),
		OPTION_STRING(0, "call-graph", "MODE", &o.call_graph, NULL),
		OPTION_END,
	};
	int status;

	status = cmd_parse_flags(&usage, specs, OPTIONS_STOP_AT_OPERAND, &argc, &argv);
	if (status == CMD_RUN)
		status = recording_check(&usage, &o.recording, argc);
	if (status == CMD_RUN)
		status = check_call_graph(o.call_graph);
	if (status == CMD_RUN)
		status = check_output(o.output);
	if (status == CMD_RUN && o.quiet && o.verbose)
		status = cmd_bad_usage(&usage, "takes one of -q and -v");
	if (status == CMD_RUN && !servers_choose(o.debuginfod, &o.servers))
		status = cmd_bad_usage(&usage, SERVERS_NONE);
	return status == CMD_RUN ? run(&o, argc, argv) : status;
}
