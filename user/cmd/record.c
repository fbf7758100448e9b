// SPDX-License-Identifier: GPL-2.0
/* ustack record: sample stacks and write a profile. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/progress.h"
#include "profile/pprof.h"
#include "record/session.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/screen.h"
#include "util/text.h"

#include "util/poison.h"

#define DEFAULT_OUTPUT "ustack.pb.gz"
#define DEFAULT_HZ 99

/* Numbers of a list such as 12,34. */
struct ids {
	uint32_t *id;
	size_t nr;
	size_t room;
};

struct record_opts {
	bool all;
	const char *pids;
	const char *tids;
	const char *events;
	struct option_u64 frequency;
	struct option_u64 period;
	bool off_cpu;
	struct option_u64 min_wait;
	struct option_u64 duration;
	const char *output;
	bool raw;
	const char *cpus;
	const char *cgroup;
	const char *comm;
	bool per_thread;
	bool user;
	bool kernel;
	struct option_u64 max_stack;
	const char *mode;
	struct option_u64 stack_size;
	bool no_supply;
	bool quiet;

	struct ids pid;
	struct ids tid;
	char *event_words;
	struct sampler_event event[SAMPLER_MAX_EVENTS];
	size_t nr_events;
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

static void opts_release(struct record_opts *o)
{
	free(o->pid.id);
	free(o->tid.id);
	free(o->event_words);
}

static bool parse_ids(const char *list, struct ids *ret)
{
	_cleanup_(cleanup_free) char *words = list ? strdup(list) : NULL;
	char *word, *at = words;
	uint64_t v;

	while (at && (word = strsep(&at, ","))) {
		if (!option_parse_u64(word, &v) || !v || v > INT32_MAX ||
		    !array_has_room(ret->id, ret->nr, ret->room))
			return false;
		ret->id[ret->nr++] = (uint32_t)v;
	}
	return !list || ret->nr;
}

/* The comma that ends an event: those between slashes are the event's own. */
static char *event_end(char *s)
{
	bool inside = false;

	for (; *s; s++) {
		inside ^= *s == '/';
		if (*s == ',' && !inside)
			return s;
	}
	return NULL;
}

static bool add_event(struct record_opts *o, const char *name)
{
	bool rate = !strchr(name, ':') || name[strlen(name) - 2] == ':';

	if (!name[0] || o->nr_events == SAMPLER_MAX_EVENTS)
		return false;
	o->event[o->nr_events++] = (struct sampler_event){
		.name = name,
		.frequency = rate && !o->period.set ? o->frequency.value : 0,
		.period = rate ? o->period.value : 0,
	};
	return true;
}

static bool parse_events(struct record_opts *o)
{
	char *at, *end;
	bool good = true;

	o->event_words = strdup(o->events ? o->events : o->off_cpu ? "" : "cpu-clock");
	at = o->event_words;
	while (good && at && *at) {
		end = event_end(at);
		if (end)
			*end++ = '\0';
		good = add_event(o, at);
		at = end;
	}
	if (good && o->off_cpu && o->nr_events < SAMPLER_MAX_EVENTS)
		o->event[o->nr_events++] = (struct sampler_event){ .name = "off-cpu" };
	return good && o->nr_events;
}

static bool parse_mode(const char *s, enum record_mode *ret)
{
	static const char *const names[] = {
		[RECORD_AUTO] = "auto", [RECORD_BPF] = "bpf", [RECORD_COPY] = "copy",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(s, names[i])) {
			*ret = i;
			return true;
		}
	return false;
}

static void say(const char *text, void *arg)
{
	struct record_opts *o = arg;
	char line[1024];

	if (o->quiet)
		return;
	progress_wipe(&o->progress);
	/* names of files are in it */
	fprintf(stderr, "ustack: %s\n", screen_text(text, line, sizeof(line)));
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
	char share[TEXT_SHORT], bytes[TEXT_SHORT];
	struct stat st;
	unsigned int i;

	if (o->quiet)
		return;
	fprintf(stderr, "ustack: %" PRIu64 " samples in %.1f s", s->samples,
		(double)s->ns / 1e9);
	if (s->samples)
		fprintf(stderr, ", %s with a complete stack",
			text_share(s->complete, s->samples, share));
	if (strcmp(o->output, "-") && !stat(o->output, &st))
		fprintf(stderr, "; %s written to %s",
			text_bytes((uint64_t)st.st_size, bytes), o->output);
	fputc('\n', stderr);
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

static int run(struct record_opts *o, enum record_mode mode, int argc, char **argv)
{
	const struct record_options options = {
		.sampler = {
			.events = o->event, .nr_events = o->nr_events,
			.pids = o->pid.id, .nr_pids = o->pid.nr,
			.tids = o->tid.id, .nr_tids = o->tid.nr,
			.children = true, .cgroup = o->cgroup, .cpus = o->cpus,
			.comm = o->comm, .by_thread = o->per_thread,
			.no_user = o->kernel, .no_kernel = o->user,
			.offcpu_min_ns = o->min_wait.value * 1000,
			.max_frames = (uint32_t)o->max_stack.value,
		},
		.argv = argc ? argv : NULL,
		.duration_ms = o->duration.value, .mode = mode, .raw = o->raw,
		.no_supply = o->no_supply,
		.stack_bytes = (uint32_t)o->stack_size.value,
		.note = say, .progress = show_progress, .arg = o,
	};
	struct record_summary summary;
	struct profile *p;
	struct diag diag;
	int err = file_can_replace(o->output, &diag);

	progress_init(&o->progress, NULL);
	if (!err)
		err = record_session(&options, &p, &summary, &diag);
	progress_wipe(&o->progress);
	if (err)
		return cmd_diag(&diag);
	command_comment(p, argc, argv);
	err = pprof_save(p, o->output, &diag);
	profile_free(p);
	if (err)
		return cmd_diag(&diag);
	print_summary(o, &summary);
	return summary.status > 0 ? summary.status : CMD_OK;
}

static int check(struct record_opts *o, enum record_mode *mode, int argc)
{
	int targets = o->all + !!o->pids + !!o->tids + !!argc;

	if (targets != 1 && !(targets == 2 && o->pids && o->tids))
		return cmd_bad_usage(&usage, "takes one of -a, -p, -t or a command");
	if (!parse_ids(o->pids, &o->pid))
		return cmd_bad_usage(&usage, "-p: '%s' is no list of processes", o->pids);
	if (!parse_ids(o->tids, &o->tid))
		return cmd_bad_usage(&usage, "-t: '%s' is no list of threads", o->tids);
	if (!o->frequency.value || o->frequency.value > 100000)
		return cmd_bad_usage(&usage, "-F: 1 to 100000 samples a second");
	if (o->period.set && !o->period.value)
		return cmd_bad_usage(&usage, "-c: at least 1");
	if (!parse_events(o))
		return cmd_bad_usage(&usage, "-e: '%s' is no list of events",
				     o->events ? o->events : "");
	if (o->user && o->kernel)
		return cmd_bad_usage(&usage, "takes one of --all-user and --all-kernel");
	if (!parse_mode(o->mode, mode))
		return cmd_bad_usage(&usage, "--mode: 'auto', 'bpf' or 'copy'");
	if (o->max_stack.value > SAMPLER_MAX_FRAMES)
		return cmd_bad_usage(&usage, "--max-stack: up to %u", SAMPLER_MAX_FRAMES);
	if (o->stack_size.value > 65528)
		return cmd_bad_usage(&usage, "--stack-size: up to 65528");
	return CMD_RUN;
}

int cmd_record(int argc, char **argv)
{
	_cleanup_(opts_release) struct record_opts o = {
		.frequency = { .value = DEFAULT_HZ },
		.output = DEFAULT_OUTPUT,
		.mode = "auto",
	};
	const struct option_spec specs[] = {
		OPTION_FLAG('a', "all-cpus", &o.all, "all processes, on all CPUs"),
		OPTION_STRING('p', "pid", "PID", &o.pids, "processes and what they start"),
		OPTION_STRING('t', "tid", "TID", &o.tids, "threads"),
		OPTION_STRING('e', "event", "EVENT", &o.events,
			      "what is sampled (cpu-clock); see ustack-record(1)"),
		OPTION_U64('F', "freq", "HZ", &o.frequency, "samples a second and CPU (99)"),
		OPTION_U64('c', "count", "N", &o.period, "a sample for every N events instead"),
		OPTION_FLAG(0, "off-cpu", &o.off_cpu, "the time that threads wait; adds to -e"),
		OPTION_U64(0, "min-wait", "US", &o.min_wait,
			   "with --off-cpu: from so many microseconds on"),
		OPTION_SECONDS('d', "duration", "SECONDS", &o.duration, "end after this"),
		OPTION_STRING('o', "output", "FILE", &o.output,
			      "the profile (" DEFAULT_OUTPUT "); - is standard output"),
		OPTION_FLAG(0, "raw", &o.raw,
			    "leave files' functions to ustack symbolize"),
		OPTION_STRING('C', "cpu", "LIST", &o.cpus, "on these CPUs alone, such as 0-3,7"),
		OPTION_STRING('G', "cgroup", "PATH", &o.cgroup,
			      "of this cgroup and those below it"),
		OPTION_STRING(0, "comm", "NAME", &o.comm,
			      "of threads with this name; NAME* begins so"),
		OPTION_FLAG(0, "per-thread", &o.per_thread, "count threads apart"),
		OPTION_FLAG(0, "all-user", &o.user, "no stacks of the kernel"),
		OPTION_FLAG(0, "all-kernel", &o.kernel, "no stacks of processes"),
		OPTION_U64(0, "max-stack", "N", &o.max_stack, "frames of a stack"),
		OPTION_STRING(0, "mode", "MODE", &o.mode,
			      "how stacks are taken: auto, bpf or copy"),
		OPTION_U64(0, "stack-size", "BYTES", &o.stack_size,
			   "with copied stacks: of each"),
		OPTION_FLAG(0, "no-supply", &o.no_supply,
			    "make no unwind tables for the module"),
		OPTION_FLAG('q', "quiet", &o.quiet, "say nothing but what went wrong"),
		OPTION_END,
	};
	enum record_mode mode = RECORD_AUTO;
	int status;

	status = cmd_parse_flags(&usage, specs, OPTIONS_STOP_AT_OPERAND, &argc, &argv);
	if (status == CMD_RUN)
		status = check(&o, &mode, argc);
	return status == CMD_RUN ? run(&o, mode, argc, argv) : status;
}
