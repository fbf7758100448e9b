// SPDX-License-Identifier: GPL-2.0-only
/*
 * record_session(): starts the command, waits, drains the source about once a
 * second, and ends on time, on a signal or at a size. session_open.c opens the
 * source, session_profile.c makes the profiles. See session.h.
 */
#include "capture/record/session_private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "capture/record/labels.h"
#include "capture/record/supplier.h"
#include "util/text.h"

static void sampler_note(void *context, const char *text)
{
	session_note(context, text);
}

/*
 * The handlers are reset because a shell's background job has SIGINT ignored
 * and would not get it.
 */
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

/* Return: true if a signal asks to end. */
static bool read_signals(struct session *s)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info))
		end |= info.ssi_signo != SIGCHLD;
	return end;
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

static void sleep_ns(long ns)
{
	struct timespec t = { 0, ns };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

/*
 * Return: whether processes must be scanned, because CPUs came online that were
 * not watched.
 */
static bool look_for_cpus(struct session *s)
{
	struct diag diag = { 0 };
	char text[384];
	int opened = watch_look_for_cpus(s->watch, &diag);

	if (opened >= 0)
		return opened;
	/* the recording goes on, and the next drain tries again */
	diag_format(&diag, text, sizeof(text));
	session_note(s, text);
	return false;
}

static int look_again(struct session *s)
{
	struct watch_counts counts;
	bool more = look_for_cpus(s);

	watch_counts(s->watch, &counts);
	if (counts.lost == s->mmaps_lost && !more)
		return 0;
	s->mmaps_lost = counts.lost;
	return watch_scan(s->watch);
}

/*
 * Waits until all changes before this moment can be read: events of other CPUs
 * come a little later.
 */
int session_catch_up(void *arg)
{
	struct session *s = arg;
	int err;

	s->caught_up = true;
	sleep_ns(2 * WATCH_SETTLE_NS);
	err = watch_read(s->watch);
	return err ? err : look_again(s);
}

/* Counts outcomes by the value that `ustack report` shows by default. */
static void count_whole(struct session *s, const struct sampler_count *c)
{
	const struct record_event *e = &s->events[c->event], *first = &s->events[0];

	if (e->weight == first->weight)
		profile_whole_add(&s->summary->whole, record_outcome(c->why),
				  (int64_t)(e->weight == e->samples ? c->count : c->sum));
}

static int take(void *context, const struct sampler_count *c)
{
	struct session *s = context;
	int err = s->caught_up ? 0 : session_catch_up(s);

	if (err)
		return err;
	s->summary->samples += c->count;
	count_whole(s, c);
	return record_take(s->names, &s->events[c->event], c);
}

/*
 * Moves samples to the disk if there are many. Names for processes that are
 * gone are made first.
 */
static int spool(struct session *s)
{
	struct pprof_spool *spool = s->options->spool;
	struct diag diag = { 0 };
	char why[256], text[384];
	int err;

	if (!spool || !pprof_spool_is_due(spool, s->profile))
		return 0;
	session_detail(s, "%u samples go from memory to the disk", s->profile->nr_samples);
	err = record_name_gone(s->names);
	if (err || !pprof_spool_samples(spool, s->profile, &diag))
		return err;
	diag_format(&diag, why, sizeof(why));
	snprintf(text, sizeof(text), "%s: what was recorded stays in memory", why);
	session_note(s, text);
	return 0;
}

static int drain(struct session *s, struct diag *diag)
{
	uint64_t began = watch_now(), samples = s->summary->samples;
	int err;

	s->caught_up = false;
	err = s->source.ops->drain(s->source.source, take, s, diag);
	if (!err && !s->caught_up)
		err = session_catch_up(s);
	/*
	 * all samples of the next window have mappings from this moment or
	 * later
	 */
	if (!err)
		err = record_expire(s->names, began);
	if (!err)
		session_detail_drain(s, began, samples);
	if (!err)
		err = spool(s);
	return err == -ENOMEM ? diag_errno(diag, ENOMEM, "the profile") : err;
}

/*
 * After a drain: ends the recording if the profile has nearly reached its
 * limit.
 */
static int look_at_size(struct session *s, struct diag *diag)
{
	char limit[TEXT_SHORT], now[TEXT_SHORT], text[96];
	bool full;
	int err;

	if (!s->size.limit)
		return 0;
	err = record_size_look(&s->size, s->options->spool, s->profile, s->names, &full);
	if (err)
		return diag_errno(diag, -err, "the profile");
	session_detail(s, "the profile's file would have %s now, the limit is %s",
		       text_bytes(s->size.bytes, now), text_bytes(s->size.limit, limit));
	if (!full)
		return 0;
	snprintf(text, sizeof(text), "the profile is nearly as large as --max-size allows (%s): it ends here",
		 text_bytes(s->size.limit, limit));
	session_note(s, text);
	s->stop = true;
	return 0;
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

static uint64_t left_until(uint64_t due)
{
	uint64_t now = watch_now();

	return now < due ? (due - now + 999999) / 1000000 : 0;
}

static bool is_over(const struct session *s)
{
	return s->options->duration_ms && !left_of(s->began, s->options->duration_ms);
}

/*
 * Milliseconds until the next drain or an earlier event that must be handled.
 */
static int ms_left(const struct session *s)
{
	uint64_t left = left_of(s->drained, WINDOW_MS), other;

	if (s->options->duration_ms) {
		other = left_of(s->began, s->options->duration_ms);
		left = other < left ? other : left;
	}
	if (s->interval_ms) {
		other = left_until(s->interval_end);
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

/* Waits until it is time to drain or to end. */
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
		/* on a hang-up no more input will come */
		s->stop |= n > 0 && fds[2].revents & (POLLHUP | POLLERR | POLLNVAL);
		if (s->child.pid)
			s->summary->status = child_status(&s->child, false);
		s->stop |= s->child_pid && !s->child.pid;
		s->stop |= is_over(s) || targets_gone(s);
	} while (!err && !s->stop && ms_left(s) && !(n > 0 && fds[1].revents));
	return err;
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
	if (!err)
		err = look_at_size(s, diag);
	if (s->options->alive)
		s->options->alive(s->options->arg);
	if (err || !s->interval_ms || left_until(s->interval_end))
		return err;
	return session_hand_out(s, false, diag);
}

/*
 * Waits for the options' delay, or until the recording ends before anything was
 * sampled.
 */
static void wait_to_begin(struct session *s)
{
	struct pollfd fd = { .fd = s->signals, .events = POLLIN };
	uint64_t began = watch_now(), left;

	while (!s->stop && (left = left_of(began, s->options->delay_ms))) {
		poll(&fd, 1, (int)(left < WINDOW_MS ? left : WINDOW_MS));
		s->summary->interrupted |= read_signals(s);
		if (s->child.pid)
			s->summary->status = child_status(&s->child, false);
		s->stop |= s->summary->interrupted || (s->child_pid && !s->child.pid) ||
			   targets_gone(s);
	}
}

/* Without a delay, sampling begins before the command runs. */
static int begin(struct session *s, struct diag *diag)
{
	bool late = s->options->delay_ms;
	int err = 0;

	if (late && s->child.pid)
		err = child_run(&s->child, s->options->argv[0], diag);
	if (!err && late)
		wait_to_begin(s);
	s->began = watch_now();
	return err ? err : s->source.ops->start(s->source.source, diag);
}

static int run(struct session *s, struct diag *diag)
{
	int err = begin(s, diag), stopped;

	if (err)
		return err;
	session_detail_begin(s);
	if (s->options->started)
		s->options->started(s->options->arg);
	s->drained = watch_now();
	/*
	 * The first samples may be taken before everything is started. If
	 * samples have times, the recording must begin before the first of
	 * them.
	 */
	if (!s->options->sampler.timestamps)
		s->began = s->drained;
	session_begin_interval(s, s->began);
	session_begin_profile(s);
	if (s->child.pid && !s->options->delay_ms)
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
		return session_hand_out(s, true, diag);
	if (record_name(s->names, progress, s) == -EINTR)
		session_note(s, "interrupted: some functions have no names");
	session_end_profile(s);
	session_detail_end(s);
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
		.size = { .limit = options->spool ? options->max_bytes : 0 },
	};
	int err;

	*summary = (struct record_summary){ .status = -1 };
	s.sampler.note = sampler_note;
	s.sampler.note_context = &s;
	s.sampler.window_ms = WINDOW_MS;
	s.sampler.languages = true;
	s.profile = profile_new();
	/*
	 * before block_signals(), so that the command inherits the signals
	 * unchanged
	 */
	err = s.profile ? prepare_child(&s, diag) : diag_errno(diag, ENOMEM, "the profile");
	if (!err)
		err = block_signals(&s, diag);
	if (!err)
		err = session_open(&s, diag);
	if (!err)
		err = run(&s, diag);
	if (!err)
		err = finish(&s, diag);
	/*
	 * @diag may point to the name of an event, which belongs to the source
	 */
	if (err)
		diag_copy_name(diag);
	release(&s);
	if (err || options->interval_ms)
		profile_free(s.profile);
	else
		*ret = s.profile;
	return err;
}
