// SPDX-License-Identifier: GPL-2.0-only
/* Starts and ends the HTTP server and the uploads of the serving process, and retries failures. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/serving_private.h"
#include "serve/daemon/log.h"
#include "util/cleanup.h"
#include "util/clock.h"

#include "util/poison.h"

#define SECOND 1000000000ull
/* The first SOON retries come once a second, later ones after LATER nanoseconds: an address that is
 * in use is mostly free again soon, or stays in use.
 */
#define SOON 10u
#define LATER (10 * SECOND)

static void say(const char *what, const struct diag *diag)
{
	daemon_log(LOG_IS_ERROR, "%s: %s: %s; it will be tried again", what,
		   diag->file ? diag->file : "the serving process", diag->text);
}

static int serve(struct serving *s, struct diag *diag)
{
	const struct config_http *cfg = &s->cfg.http;
	struct http_options o = { .source = s->source };
	char *token = NULL;
	bool others = false;
	int err = 0;

	if (cfg->token_file)
		err = config_secret_read(cfg->token_file, &token, &others, diag);
	if (err)
		return err;
	if (others)
		daemon_log(LOG_IS_WARNING, "%s: other users may read it", cfg->token_file);
	o.token = token;
	err = http_start(&o, &s->http, diag);
	config_secret_free(token);
	return err;
}

/* Starts the server, and listens on all addresses. Return: whether all of that works. */
static bool serve_all(struct serving *s)
{
	struct diag diag;
	bool all = true;
	size_t i;

	if (s->cfg.http.nr_listen && !s->http && serve(s, &diag)) {
		say("nothing is served", &diag);
		return false;
	}
	for (i = 0; i < s->cfg.http.nr_listen; i++) {
		if (s->listens[i])
			continue;
		s->listens[i] = !http_listen(s->http, s->cfg.http.listen[i].text, &diag);
		if (!s->listens[i])
			say("not served", &diag);
		all &= s->listens[i];
	}
	return all;
}

static const char *host_of(const struct daemon_config *cfg)
{
	size_t i;

	for (i = 0; i < cfg->labels.nr; i++)
		if (!strcmp(cfg->labels.pair[i].name, "host"))
			return cfg->labels.pair[i].value;
	return NULL;
}

static int start(struct serving *s, struct push_options *targets, struct diag *diag)
{
	_cleanup_(cleanup_free) char *state = NULL;
	struct push_place place = { .store = s->source.store, .host = host_of(&s->cfg),
				    .note = daemon_note };
	int err = 0;
	size_t i;

	if (asprintf(&state, "%s/push", s->source.store) < 0) {
		state = NULL;
		return diag_errno(diag, ENOMEM, NULL);
	}
	place.state = state;
	for (i = 0; i < s->cfg.nr_push && !err; i++)
		err = config_push_options(&s->cfg.push[i], &targets[i]);
	if (err)
		return diag_errno(diag, -err, NULL);
	err = push_start(&place, targets, s->cfg.nr_push, &s->push, diag);
	/* the diag's file may be @state, which is freed here */
	if (err)
		diag_copy_name(diag);
	return err;
}

static int push(struct serving *s, struct diag *diag)
{
	struct push_options *targets = calloc(s->cfg.nr_push, sizeof(*targets));
	size_t i;
	int err;

	if (!targets)
		return diag_errno(diag, ENOMEM, NULL);
	err = start(s, targets, diag);
	for (i = 0; i < s->cfg.nr_push; i++)
		config_push_release(&targets[i]);
	free(targets);
	if (err)
		return err;
	s->numbers.push = s->push;
	/* after numbers.push is set, because other threads read it */
	if (metrics_register(s->source.metrics, serving_metrics_push, &s->numbers))
		daemon_log(LOG_IS_ERROR, "no metrics of uploads: %s", strerror(ENOMEM));
	return 0;
}

/* Starts all uploads. Return: whether that works. */
static bool push_all(struct serving *s)
{
	struct diag diag;

	if (!s->cfg.nr_push || s->push || !push(s, &diag))
		return true;
	say("nothing is pushed", &diag);
	return false;
}

void serving_begin(struct serving *s)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool all;

	if (now < s->due)
		return;
	all = push_all(s);
	all &= serve_all(s);
	s->due = all ? UINT64_MAX : now + (s->tries < SOON ? 0 : LATER);
	s->tries++;
}

void serving_end(struct serving *s)
{
	http_stop(s->http);
	push_stop(s->push);
}
