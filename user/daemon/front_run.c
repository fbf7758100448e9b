// SPDX-License-Identifier: GPL-2.0
/* The process's own half of front.h. */
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

#include "daemon/config.h"
#include "daemon/front.h"
#include "daemon/front_metrics.h"
#include "daemon/http.h"
#include "daemon/log.h"
#include "push/push.h"
#include "store/reader.h"
#include "util/cleanup.h"
#include "util/clock.h"

#include "util/poison.h"

#define SECOND 1000000000ull
/* Windows that are late by so many are a sign that nobody samples. */
#define LATE_WINDOWS 3u

struct serving {
	struct daemon_config cfg;
	const char *store;
	char state[4096];
	struct shared *shared;
	struct metrics *metrics;
	struct push *push;
	struct push_options *targets;
	struct front_numbers numbers;
	struct http *http;
	int signals;
	bool told;
	struct store_position end;
};

/* Windows from the present end of the store on, until they are of so many seconds. */
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
		return diag_set(diag, EAGAIN, NULL, "nobody samples");
	got = store_reader_new(s->store, &now.end, &r, diag);
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

static int serve(struct serving *s, struct diag *diag)
{
	const struct config_http *cfg = &s->cfg.http;
	_cleanup_(cleanup_free) const char **listen = NULL;
	struct http_options o = {
		.source = { .store = s->store, .version = USTACK_VERSION, .live = live,
			    .health = health, .arg = s, .metrics = s->metrics },
	};
	char *token = NULL;
	bool others;
	size_t i;
	int err = 0;

	if (!cfg->nr_listen)
		return 0;
	listen = calloc(cfg->nr_listen + 1, sizeof(*listen));
	if (!listen)
		return diag_errno(diag, ENOMEM, "http");
	for (i = 0; i < cfg->nr_listen; i++)
		listen[i] = cfg->listen[i].text;
	if (cfg->token_file)
		err = config_secret_read(cfg->token_file, &token, &others, diag);
	if (err)
		return err;
	if (token && others)
		daemon_log(LOG_IS_WARNING, "%s: others may read it", cfg->token_file);
	o.listen = listen;
	o.token = token;
	err = http_start(&o, &s->http, diag);
	config_secret_free(token);
	return err;
}

/* "Name: value", ended by NULL. */
static const char **header_lines(const struct config_pairs *pairs)
{
	const char **lines = calloc(pairs->nr + 1, sizeof(*lines));
	char *line;
	size_t i;

	for (i = 0; lines && i < pairs->nr; i++) {
		if (asprintf(&line, "%s: %s", pairs->pair[i].name, pairs->pair[i].value) < 0)
			break;
		lines[i] = line;
	}
	return lines;
}

static struct push_options target(const struct config_push *from)
{
	return (struct push_options){
		.name = from->name, .type = from->type, .url = from->url,
		.token_file = from->token_file, .user = from->user,
		.password_file = from->password_file, .ca_file = from->ca_file,
		.timeout_ms = (uint32_t)(from->timeout_ns / 1000000), .batch = from->batch,
		.database = from->database,
		.headers = header_lines(&from->headers),
	};
}

static const char *host_of(const struct daemon_config *cfg)
{
	size_t i;

	for (i = 0; i < cfg->labels.nr; i++)
		if (!strcmp(cfg->labels.pair[i].name, "host"))
			return cfg->labels.pair[i].value;
	return NULL;
}

static int push(struct serving *s, struct diag *diag)
{
	struct push_place place = { .store = s->store, .state = s->state,
				    .host = host_of(&s->cfg), .note = daemon_note };
	size_t i;
	int err;

	if (!s->cfg.nr_push)
		return 0;
	if (snprintf(s->state, sizeof(s->state), "%s/push", s->store) >= (int)sizeof(s->state))
		return diag_errno(diag, ENAMETOOLONG, s->store);
	s->targets = calloc(s->cfg.nr_push, sizeof(*s->targets));
	if (!s->targets)
		return diag_errno(diag, ENOMEM, "push");
	for (i = 0; i < s->cfg.nr_push; i++)
		s->targets[i] = target(&s->cfg.push[i]);
	err = push_start(&place, s->targets, s->cfg.nr_push, &s->push, diag);
	s->numbers.push = s->push;
	s->numbers.nr_push = err ? 0 : s->cfg.nr_push;
	return err;
}

/* What goes wrong is said; what is left goes on. */
static void start_all(struct serving *s)
{
	struct diag diag;

	if (push(s, &diag))
		daemon_log(LOG_IS_ERROR, "nothing is pushed: %s: %s",
			   diag.file ? diag.file : "push", diag.text);
	if (serve(s, &diag))
		daemon_log(LOG_IS_ERROR, "nothing is served: %s: %s",
			   diag.file ? diag.file : "http", diag.text);
}

static void stop_all(struct serving *s)
{
	size_t i, j;

	http_stop(s->http);
	push_stop(s->push);
	for (i = 0; s->targets && i < s->cfg.nr_push; i++) {
		for (j = 0; s->targets[i].headers && s->targets[i].headers[j]; j++)
			free((void *)s->targets[i].headers[j]);
		free((void *)s->targets[i].headers);
	}
	free(s->targets);
	metrics_free(s->metrics);
}

/* What was there before this process is the store's end, what comes later new. */
static void tell_targets(struct serving *s)
{
	struct shared_state now;

	if (shared_read(s->shared, &now))
		return;
	if (!s->told)
		push_store_ends(s->push, &now.end);
	else if (now.end.segment != s->end.segment || now.end.record != s->end.record)
		push_appended(s->push, &now.end);
	s->told = true;
	s->end = now.end;
}

/* Until somebody wants it to end. Once a second targets are told of what is new. */
static void wait_for_end(struct serving *s)
{
	struct pollfd fd = { .fd = s->signals, .events = POLLIN };

	do
		tell_targets(s);
	while (!poll(&fd, 1, 1000) || !(fd.revents & POLLIN));
}

/* Threads that are started from here on have the signals blocked, too. */
static int take_signals(struct serving *s, struct diag *diag)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* a terminal's goes to its parent, too, who would start it again */
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	s->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return s->signals < 0 ? diag_errno(diag, errno, "signalfd") : 0;
}

int front_run(const char *config, const char *store, int fd, struct diag *diag)
{
	struct serving s = { .store = store, .signals = -1 };
	int err;

	prctl(PR_SET_NAME, "ustackd-front");
	err = take_signals(&s, diag);

	if (!err)
		err = config_load(config, &s.cfg, diag);
	if (!err)
		err = shared_attach(fd, &s.shared, diag);
	if (!err) {
		s.metrics = metrics_new();
		s.numbers = (struct front_numbers){ .shared = s.shared, .cfg = &s.cfg };
		if (!s.metrics || metrics_register(s.metrics, front_metrics, &s.numbers) ||
		    metrics_register(s.metrics, metrics_process, NULL))
			err = diag_errno(diag, ENOMEM, "metrics");
	}
	if (!err) {
		start_all(&s);
		wait_for_end(&s);
	}
	stop_all(&s);
	shared_free(s.shared);
	config_free(&s.cfg);
	return err;
}
