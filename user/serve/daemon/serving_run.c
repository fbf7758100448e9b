// SPDX-License-Identifier: GPL-2.0-only
/*
 * The serving process: its main loop, its health, and profiles that are recorded on request. This
 * half of serving.h runs in the process itself.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "serve/daemon/config.h"
#include "serve/daemon/serving.h"
#include "serve/daemon/serving_private.h"
#include "serve/daemon/log.h"
#include "serve/store/reader.h"
#include "util/cleanup.h"
#include "util/clock.h"

#include "util/poison.h"

#define SECOND 1000000000ull
/* If the last window is older than so many windows, sampling counts as stopped. */
#define LATE_WINDOWS 3u

/* Adds up the windows that the store gets from now on, until they cover @seconds. */
static int live(unsigned int seconds, bool (*stop)(void *stop_arg), void *stop_arg,
		struct profile **ret, void *arg, struct diag *diag)
{
	const struct timespec pause = { 0, 200000000 };
	struct serving *s = arg;
	struct store_reader *r = NULL;
	struct shared_state now;
	struct store_window w;
	uint64_t ns = 0;
	struct profile *p;
	int got;

	if (shared_read(s->shared, &now))
		return diag_set(diag, EAGAIN, NULL, "the sampling process has died");
	got = store_reader_new(s->source.store, &now.end, &r, diag);
	if (got)
		return got;
	p = profile_new();
	got = p ? 0 : diag_errno(diag, ENOMEM, "the profile");
	while (got >= 0 && ns < seconds * SECOND) {
		if (stop && stop(stop_arg))
			got = -EINTR;
		else
			got = store_reader_next(r, &w, diag);
		if (!got)
			nanosleep(&pause, NULL);
		if (got <= 0)
			continue;
		profile_merge(p, w.profile);
		ns += w.profile->duration_ns;
		got = profile_error(p);
	}
	store_reader_free(r);
	if (got < 0)
		profile_free(p);
	else
		*ret = p;
	return got < 0 ? got : 0;
}

static bool health(FILE *out, void *arg)
{
	struct serving *s = arg;
	uint64_t now = clock_ns(CLOCK_REALTIME);
	struct shared_state state;
	bool well = true;

	if (shared_read(s->shared, &state)) {
		fprintf(out, "the sampling process has died\n");
		return false;
	}
	if (state.window_at_ns && now > state.window_at_ns &&
	    now - state.window_at_ns > (LATE_WINDOWS + 1) * state.window_ns) {
		fprintf(out, "the last window began %llu s ago\n",
			(unsigned long long)((now - state.window_at_ns) / SECOND));
		well = false;
	}
	if (state.waiting) {
		fprintf(out, "%llu windows cannot be stored\n", (unsigned long long)state.waiting);
		well = false;
	}
	return well;
}

/*
 * Tells the uploads where the store ends: at first its end at the start of this process, later each
 * window that was appended.
 */
static void tell_targets(struct serving *s)
{
	struct shared_state now;

	if (!s->push || shared_read(s->shared, &now))
		return;
	if (!s->told)
		push_store_ends(s->push, &now.end);
	else if (now.end.segment != s->end.segment || now.end.record != s->end.record)
		push_appended(s->push, &now.end);
	s->told = true;
	s->end = now.end;
}

/* The main loop: starts what does not run yet, and looks for new windows, once a second. */
static void wait_for_end(struct serving *s)
{
	struct pollfd fd = { .fd = s->signals, .events = POLLIN };

	do {
		serving_begin(s);
		tell_targets(s);
	} while (!poll(&fd, 1, 1000) || !(fd.revents & POLLIN));
}

/* Blocks signals, also for all threads that are started later, and opens a descriptor for them. */
static int take_signals(struct serving *s, struct diag *diag)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* ^C at a terminal also reaches the parent, which ends this process */
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	s->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return s->signals < 0 ? diag_errno(diag, errno, "signalfd") : 0;
}

static int set_up(struct serving *s, const char *config, const char *store, int fd,
		  struct diag *diag)
{
	int err = config_load_packed(config, &s->cfg, diag);

	if (!err)
		err = shared_attach(fd, &s->shared, diag);
	if (err)
		return err;
	s->source = (struct api_source){
		.store = store, .version = USTACK_VERSION, .live = live, .health = health,
		.arg = s, .metrics = metrics_new(),
	};
	s->numbers = (struct serving_numbers){ .shared = s->shared, .cfg = &s->cfg };
	if (!s->source.metrics ||
	    metrics_register(s->source.metrics, serving_metrics, &s->numbers) ||
	    metrics_register(s->source.metrics, metrics_process, NULL))
		return diag_errno(diag, ENOMEM, "metrics");
	return 0;
}

int serving_run(const char *config, const char *store, int fd, struct diag *diag)
{
	struct serving s = { .signals = -1 };
	int err;

	prctl(PR_SET_NAME, "ustackd-front");
	err = take_signals(&s, diag);
	if (!err)
		err = set_up(&s, config, store, fd, diag);
	if (!err)
		wait_for_end(&s);
	serving_end(&s);
	metrics_free(s.source.metrics);
	shared_free(s.shared);
	config_free(&s.cfg);
	return err;
}
