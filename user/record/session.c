// SPDX-License-Identifier: GPL-2.0
#include "record/session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "core.h"
#include "module.h"
#include "process/thread_ids.h"
#include "process/watch.h"
#include "record/child.h"
#include "record/names.h"
#include "record/supplier.h"
#include "util/cleanup.h"

#define WINDOW_MS 1000u		/* between two drains, and two looks at what ends it */

struct session {
	const struct record_options *options;
	struct sampler_options sampler;
	struct record_source source;
	struct record_names *names;
	struct watch *watch;
	struct profile *profile;
	struct record_event events[SAMPLER_MAX_EVENTS];
	struct child child;
	uint32_t child_pid;
	pid_t supplier;
	int signals;
	bool blocked;
	sigset_t mask_before;
	struct sigaction int_before;
	struct sigaction term_before;
	uint64_t mmaps_lost;
	uint64_t began;
	uint64_t interval_began;
	uint64_t interval_ms;
	uint64_t hz;		/* of the first event; 0 if it has no rate */
	uint64_t drained;	/* when, or when it began */
	bool caught_up;		/* what happened before this drain is known */
	bool stop;
	struct record_summary *summary;
};

static void note(const struct session *s, const char *text)
{
	if (s->options->note)
		s->options->note(text, s->options->arg);
}

static void sampler_note(void *context, const char *text)
{
	note(context, text);
}

/* A shell's background job has SIGINT ignored, and it would never be read then. */
static int block_signals(struct session *s, struct diag *diag)
{
	static const struct sigaction taken = { .sa_handler = SIG_DFL };
	sigset_t mask;

	sigaction(SIGINT, &taken, &s->int_before);
	sigaction(SIGTERM, &taken, &s->term_before);
	s->blocked = true;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, &s->mask_before);
	s->signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
	return s->signals < 0 ? diag_errno(diag, errno, "signalfd") : 0;
}

/* Return: true if somebody wants it to end. */
static bool read_signals(struct session *s)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info))
		end |= info.ssi_signo != SIGCHLD;
	return end;
}

static bool module_works(const struct session *s)
{
	struct module m = MODULE_INIT;
	struct ustack_info info;
	struct diag diag;
	bool works;

	works = !module_open(&m, &diag) && !module_info(&m, &info, &diag) &&
		info.enabled && info.hooks & USTACK_HOOK_CALLCHAIN;
	module_release(&m);
	return works;
}

static int catch_up(void *arg);

static int open_copy(struct session *s, struct diag *diag)
{
	const struct record_catch_up up = { catch_up, s };

	return record_source_copy(&s->sampler, s->options->stack_bytes, s->names, &up,
				  &s->source, diag);
}

static int open_bpf(struct session *s, bool module, struct diag *diag)
{
	if (!module)
		note(s, "the module is not loaded: the kernel walks frame pointers");
	else if (!s->options->no_supply) {
		supplier_prepare(s->options->note, s->options->arg);
		s->supplier = supplier_start();
	}
	return record_source_bpf(&s->sampler, &s->source, diag);
}

static int open_source(struct session *s, struct diag *diag)
{
	bool module = module_works(s);

	if (s->options->mode == RECORD_COPY)
		return open_copy(s, diag);
	if (s->options->mode == RECORD_BPF || module)
		return open_bpf(s, module, diag);
	note(s, "the module is not loaded: stacks are copied and unwound here");
	return open_copy(s, diag);
}

/* All of the machine, or where that is not permitted what is recorded. */
static int open_watch(struct session *s, struct diag *diag)
{
	_cleanup_(thread_ids_release) struct thread_ids ids = THREAD_IDS_INIT;
	const struct sampler_options *o = &s->sampler;
	struct watch_options watch = { 0 };
	int err;

	err = watch_new(record_processes(s->names), &watch, &s->watch, diag);
	if ((err != -EACCES && err != -EPERM) || !(o->nr_pids + o->nr_tids))
		return err;
	err = thread_ids_of(o->pids, o->nr_pids, o->tids, o->nr_tids, &ids);
	if (err)
		return diag_errno(diag, -err, "/proc");
	watch.tids = ids.tid;
	watch.nr_tids = (unsigned int)ids.nr;
	return watch_new(record_processes(s->names), &watch, &s->watch, diag);
}

/* Watching comes first, then what gives epochs, then the look at what is there: so every
 * process is known as it was before its first epoch.
 */
static int open_all(struct session *s, struct diag *diag)
{
	struct record_names_options names = {
		.raw = s->options->raw, .bsym_dir = s->options->bsym_dir,
		.servers = s->options->servers,
		.note = s->options->note, .arg = s->options->arg,
	};
	int err = record_names_new(&names, &s->names, diag);

	if (err)
		return err;
	err = open_watch(s, diag);
	if (!err)
		err = open_source(s, diag);
	if (!err && watch_scan(s->watch))
		err = diag_errno(diag, ENOMEM, "/proc");
	return err;
}

static int prepare_child(struct session *s, struct diag *diag)
{
	int err;

	if (!s->options->argv)
		return 0;
	err = child_prepare(&s->child, s->options->argv, s->options->quiet, diag);
	if (err)
		return err;
	s->child_pid = (uint32_t)s->child.pid;
	s->sampler.pids = &s->child_pid;
	s->sampler.nr_pids = 1;
	s->sampler.children = true;
	return 0;
}

/* What the weights of an event are called. */
static void value_of(struct session *s, const struct sampler_event_info *info,
		     struct record_event *e)
{
	bool clock = !strcmp(info->name, "cpu-clock") || !strcmp(info->name, "task-clock");
	bool counted = info->period == 1 && strcmp(info->unit, "nanoseconds") != 0;

	e->samples = profile_value_type(s->profile, "samples", "count");
	e->weight = e->samples;
	if (clock)
		e->weight = profile_value_type(s->profile, "cpu", "nanoseconds");
	else if (!counted)
		e->weight = profile_value_type(s->profile, info->name,
					       strcmp(info->unit, "events") ? info->unit :
									      "count");
}

static uint64_t real_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void begin_profile(struct session *s, size_t nr_events)
{
	struct profile *p = s->profile;
	struct sampler_event_info info;
	size_t i;

	p->time_ns = real_time();
	for (i = 0; i < nr_events; i++) {
		if (s->source.ops->event(s->source.source, i, &info))
			continue;
		value_of(s, &info, &s->events[i]);
		s->events[i].label = NULL;
		if (nr_events > 1)
			s->events[i].label = profile_text(p, profile_string(p, info.name));
		if (i)
			continue;
		s->hz = info.frequency;
		if (info.period > 1 && !strcmp(info.unit, "nanoseconds"))
			s->hz = 1000000000 / info.period;
		p->period = info.period ? (int64_t)info.period :
			    info.frequency ? 1000000000 / (int64_t)info.frequency : 1;
		p->period_type = p->value_types[s->events[0].weight];
		p->default_type = p->period_type.type;
	}
	record_profile(s->names, p);
}

static void sleep_ns(long ns)
{
	struct timespec t = { 0, ns };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static int look_again(struct session *s)
{
	struct watch_counts counts;

	watch_counts(s->watch, &counts);
	if (counts.lost == s->mmaps_lost)
		return 0;
	s->mmaps_lost = counts.lost;
	return watch_scan(s->watch);
}

/* What was counted is older than this moment; events of other CPUs come a little later. */
static int catch_up(void *arg)
{
	struct session *s = arg;
	int err;

	s->caught_up = true;
	sleep_ns(2 * WATCH_SETTLE_NS);
	err = watch_read(s->watch);
	return err ? err : look_again(s);
}

static int take(void *context, const struct sampler_count *c)
{
	struct session *s = context;
	int err = s->caught_up ? 0 : catch_up(s);

	if (err)
		return err;
	s->summary->samples += c->count;
	if (c->why == USTACK_COMPLETE || c->why == SAMPLER_WHY_NO_USER)
		s->summary->complete += c->count;
	return record_take(s->names, &s->events[c->event], c);
}

static int drain(struct session *s, struct diag *diag)
{
	uint64_t began = watch_now();
	int err;

	s->caught_up = false;
	err = s->source.ops->drain(s->source.source, take, s, diag);
	if (!err && !s->caught_up)
		err = catch_up(s);
	/* samples of the next window have mappings of this moment at the earliest */
	if (!err)
		err = processes_expire(record_processes(s->names), began);
	return err == -ENOMEM ? diag_errno(diag, ENOMEM, "the profile") : err;
}

static bool targets_gone(const struct session *s)
{
	const struct sampler_options *o = &s->sampler;
	size_t i;

	if (s->child_pid || !(o->nr_pids + o->nr_tids))
		return false;
	for (i = 0; i < o->nr_pids; i++)
		if (!kill((pid_t)o->pids[i], 0) || errno != ESRCH)
			return false;
	for (i = 0; i < o->nr_tids; i++)
		if (!kill((pid_t)o->tids[i], 0) || errno != ESRCH)
			return false;
	return true;
}

static uint64_t left_of(uint64_t began, uint64_t ms)
{
	uint64_t spent = (watch_now() - began) / 1000000;

	return spent < ms ? ms - spent : 0;
}

static bool is_over(const struct session *s)
{
	return s->options->duration_ms && !left_of(s->began, s->options->duration_ms);
}

/* Until the next drain at the latest. */
static int ms_left(const struct session *s)
{
	uint64_t left = left_of(s->drained, WINDOW_MS), other;

	if (s->options->duration_ms) {
		other = left_of(s->began, s->options->duration_ms);
		left = other < left ? other : left;
	}
	if (s->interval_ms) {
		other = left_of(s->interval_began, s->interval_ms);
		left = other < left ? other : left;
	}
	return (int)left;
}

static int input(struct session *s)
{
	int wish = s->options->input ? s->options->input(s->options->arg) : 0;

	s->stop |= wish > 0;
	return wish < 0 ? wish : 0;
}

/* Until it is time to drain, or to end. */
static int wait_for_something(struct session *s)
{
	struct pollfd fds[] = {
		{ .fd = s->signals, .events = POLLIN },
		{ .fd = s->source.ops->fd(s->source.source), .events = POLLIN },
		{ .fd = s->options->input ? s->options->input_fd : -1, .events = POLLIN },
	};
	int n, err = 0;

	do {
		n = poll(fds, 3, ms_left(s));
		s->summary->interrupted |= read_signals(s);
		s->stop |= s->summary->interrupted;
		if (n < 0 || fds[2].revents)
			err = input(s);
		/* who has hung up asks for nothing any more */
		s->stop |= n > 0 && fds[2].revents & (POLLHUP | POLLERR | POLLNVAL);
		if (s->child.pid)
			s->summary->status = child_status(&s->child, false);
		s->stop |= s->child_pid && !s->child.pid;
		s->stop |= is_over(s) || targets_gone(s);
	} while (!err && !s->stop && ms_left(s) && !(n > 0 && fds[1].revents));
	return err;
}

static void add_comments(struct session *s)
{
	struct utsname u;
	char text[256];

	if (!uname(&u)) {
		snprintf(text, sizeof(text), "host: %s, Linux %s %s", u.nodename, u.release,
			 u.machine);
		profile_comment(s->profile, text);
	}
	snprintf(text, sizeof(text), "stacks: %s", s->source.ops->name);
	profile_comment(s->profile, text);
}

static void sum_up(struct session *s)
{
	struct record_summary *sum = s->summary;

	sum->source = s->source.ops->name;
	sum->mmaps_lost = s->mmaps_lost;
	sum->nr_losses = s->source.ops->losses(s->source.source, sum->losses);
}

/* What the interval's receiver wants to be otherwise from here on. */
static int change(struct session *s, const struct record_interval *wish, struct diag *diag)
{
	int err;

	s->interval_ms = wish->ms;
	if (!wish->hz || wish->hz == s->hz)
		return 0;
	err = s->source.ops->set_rate(s->source.source, 0, wish->hz, diag);
	if (err)
		return err;
	s->profile->period = (int64_t)(1000000000 / wish->hz);
	s->hz = wish->hz;
	return 0;
}

/* What was counted is a profile of its own, and another one begins. */
static int hand_out(struct session *s, bool last, struct diag *diag)
{
	struct record_interval i = { .names = s->names, .so_far = s->summary, .hz = s->hz,
				     .ms = s->interval_ms, .last = last };
	uint64_t now = watch_now();
	int wish, err = record_name_now(s->names);

	if (err)
		return diag_errno(diag, -err, "the interval");
	if (s->options->imagemaps)
		record_imagemaps(s->names);
	s->profile->duration_ns = now - s->interval_began;
	s->interval_began = now;
	sum_up(s);
	add_comments(s);
	i.profile = s->profile;
	s->profile = profile_new();
	err = s->profile ? profile_error(i.profile) : -ENOMEM;
	if (s->profile)
		begin_profile(s, s->sampler.nr_events);
	wish = err ? err : s->options->interval(&i, s->options->arg);
	if (!err)
		err = record_names_forget(s->names);
	profile_free(i.profile);
	s->stop |= wish > 0;
	if (wish < 0 || err)
		return diag_errno(diag, wish < 0 ? -wish : -err, "the interval");
	return s->stop || last ? 0 : change(s, &i, diag);
}

static int go_on(struct session *s, struct diag *diag)
{
	int err = wait_for_something(s);

	if (err)
		return diag_errno(diag, -err, "the terminal");
	if (s->stop)
		return 0;
	s->drained = watch_now();
	err = drain(s, diag);
	if (err || !s->interval_ms || left_of(s->interval_began, s->interval_ms))
		return err;
	return hand_out(s, false, diag);
}

static int run(struct session *s, struct diag *diag)
{
	int err = s->source.ops->start(s->source.source, diag), stopped;

	if (err)
		return err;
	if (s->options->started)
		s->options->started(s->options->arg);
	s->began = s->interval_began = s->drained = watch_now();
	begin_profile(s, s->sampler.nr_events);
	if (s->child.pid)
		err = child_run(&s->child, s->options->argv[0], diag);
	while (!err && !s->stop)
		err = go_on(s, diag);
	if (err)
		return err;
	stopped = s->source.ops->stop(s->source.source, diag);
	s->summary->ns = s->profile->duration_ns = watch_now() - s->began;
	return stopped ? stopped : drain(s, diag);
}

static bool progress(unsigned int done, unsigned int all, const char *path, void *arg)
{
	struct session *s = arg;

	if (s->options->progress)
		s->options->progress(done, all, path, s->options->arg);
	return !read_signals(s);
}

static int finish(struct session *s, struct diag *diag)
{
	int err;

	if (s->interval_ms)
		return hand_out(s, true, diag);
	sum_up(s);
	if (record_name(s->names, progress, s) == -EINTR)
		note(s, "interrupted: some functions have no names");
	add_comments(s);
	record_imagemaps(s->names);
	err = profile_error(s->profile);
	return err ? diag_errno(diag, -err, "the profile") : 0;
}

static void release(struct session *s)
{
	if (s->source.ops)
		s->source.ops->free(s->source.source);
	child_release(&s->child);
	supplier_stop(s->supplier);
	watch_free(s->watch);
	record_names_free(s->names);
	if (s->signals >= 0)
		close(s->signals);
	if (!s->blocked)
		return;
	sigprocmask(SIG_SETMASK, &s->mask_before, NULL);
	sigaction(SIGINT, &s->int_before, NULL);
	sigaction(SIGTERM, &s->term_before, NULL);
}

int record_session(const struct record_options *options, struct profile **ret,
		   struct record_summary *summary, struct diag *diag)
{
	struct session s = {
		.options = options, .sampler = options->sampler, .child = CHILD_INIT,
		.signals = -1, .summary = summary, .interval_ms = options->interval_ms,
	};
	int err;

	*summary = (struct record_summary){ .status = -1 };
	s.sampler.note = sampler_note;
	s.sampler.note_context = &s;
	s.sampler.window_ms = WINDOW_MS;
	s.profile = profile_new();
	/* the command has the signals as they are now */
	err = s.profile ? prepare_child(&s, diag) : diag_errno(diag, ENOMEM, "the profile");
	if (!err)
		err = block_signals(&s, diag);
	if (!err)
		err = open_all(&s, diag);
	if (!err)
		err = run(&s, diag);
	if (!err)
		err = finish(&s, diag);
	release(&s);
	if (err || options->interval_ms)
		profile_free(s.profile);
	else
		*ret = s.profile;
	return err;
}
