// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loop of one target. It builds a request (build_request.c), delivers it, moves the position and
 * waits for the next window. Delivery repeats the request after a failure, makes requests smaller
 * if they are too large, and counts what happens. Everything runs in the target's thread, except
 * push_target_init() and push_target_release().
 */
#include "serve/push/target.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "util/net/url.h"
#include "serve/push/answer.h"
#include "serve/push/options.h"
#include "serve/push/verdict.h"
#include "util/clock.h"

#include "util/poison.h"

static const struct push_peer *const peers[PUSH_NR_TYPES] = {
	[PUSH_PYROSCOPE] = &push_pyroscope,
	[PUSH_PARCA] = &push_parca,
	[PUSH_OTLP] = &push_otlp,
	[PUSH_CLICKHOUSE] = &push_clickhouse,
	[PUSH_OTLP_GRPC] = &push_otlp_grpc,
};

void push_note(struct push_target *t, const char *fmt, ...)
{
	char text[2 * PUSH_ERROR_BYTES];
	int n = snprintf(text, sizeof(text), "push %s: ", t->options.name);
	va_list ap;

	if (!t->common->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text + n, sizeof(text) - (size_t)n, fmt, ap);
	va_end(ap);
	t->common->note(text, t->common->arg);
}

/* splitmix64 */
static uint64_t next_random(struct push_target *t)
{
	uint64_t z = t->random += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* Every failure is counted. The first of several consecutive ones is also logged. */
static void count_failure(struct push_target *t, enum push_failure failure, const char *error)
{
	bool was;

	pthread_mutex_lock(&t->common->lock);
	was = t->info.failing;
	t->info.failing = true;
	t->info.failures[failure]++;
	t->info.error_ns = clock_ns(CLOCK_REALTIME);
	snprintf(t->info.error, sizeof(t->info.error), "%s", error);
	pthread_mutex_unlock(&t->common->lock);
	if (!was)
		push_note(t, "%s: %s", push_failure_name(failure), error);
}

/* Count and report a failure on this side (PUSH_LOCAL). */
static void local_failure(struct push_target *t, const struct diag *diag)
{
	char words[PUSH_ERROR_BYTES];

	diag_format(diag, words, sizeof(words));
	count_failure(t, PUSH_LOCAL, words);
}

/*
 * Wait until the time is over or the threads are to end. @appended: a new window ends the wait,
 * too
 */
static void wait_ms(struct push_target *t, uint64_t ms, bool appended)
{
	struct push_common *c = t->common;
	struct timespec ts = clock_timespec(clock_ns(CLOCK_MONOTONIC) + ms * 1000000);
	uint64_t before;

	pthread_mutex_lock(&c->lock);
	before = c->appended;
	while (!atomic_load(&c->stop) && !(appended && c->appended != before))
		if (pthread_cond_timedwait(&c->wake, &c->lock, &ts) == ETIMEDOUT)
			break;
	pthread_mutex_unlock(&c->lock);
}

void push_wait_ms(struct push_target *t, uint64_t ms)
{
	wait_ms(t, ms, false);
}

static void save_position(struct push_target *t)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };

	/* sending goes on: without the file windows may be sent again, but none is missing */
	if (push_position_save(t->path, &t->position, &diag))
		local_failure(t, &diag);
}

static void advance(struct push_target *t)
{
	pthread_mutex_lock(&t->common->lock);
	t->position.next = t->end;
	t->position.until = t->end;
	pthread_mutex_unlock(&t->common->lock);
	t->pinned = false;
	t->tries = 0;
	save_position(t);
}

/* Allow larger requests again, after many that were acknowledged. */
static void grow(struct push_target *t)
{
	if (++t->acknowledged < PUSH_GROW_AFTER)
		return;
	t->acknowledged = 0;
	t->batch = t->options.batch;
	t->max_samples = t->max_samples < t->peer->samples / 2 ? 2 * t->max_samples :
								 t->peer->samples;
}

/* Return: number of windows in the request, without one of which a part was refused before. */
static uint64_t new_refused(struct push_target *t)
{
	const struct push_point *from = &t->position.next, *end = &t->end;
	uint64_t nr = t->windows + (end->sample > 0);

	if (from->sample && from->window.segment == t->refused.segment &&
	    from->window.record == t->refused.record)
		nr--;
	if (end->sample)
		t->refused = end->window;
	return nr;
}

static void acknowledged(struct push_target *t, uint64_t rejected)
{
	bool was;

	pthread_mutex_lock(&t->common->lock);
	was = t->info.failing;
	t->info.failing = false;
	t->info.windows += t->windows;
	t->info.requests++;
	t->info.bytes += t->body.bytes.len;
	if (rejected) {
		t->info.refused += new_refused(t);
		t->info.failures[PUSH_REFUSED]++;
		t->info.error_ns = clock_ns(CLOCK_REALTIME);
		snprintf(t->info.error, sizeof(t->info.error), "%s", t->answer.error);
	}
	pthread_mutex_unlock(&t->common->lock);
	if (was)
		push_note(t, "requests are acknowledged again");
	if (rejected)
		push_note(t, "%s", t->answer.error);
	advance(t);
	grow(t);
}

static void refused(struct push_target *t)
{
	pthread_mutex_lock(&t->common->lock);
	t->info.refused += new_refused(t);
	pthread_mutex_unlock(&t->common->lock);
	push_note(t, "%s is refused for good: %s", t->identity, t->answer.error);
	advance(t);
}

/* Return: whether a smaller request is possible; its limit is set then. */
static bool make_smaller(struct push_target *t, bool windows_only)
{
	if (windows_only ? t->windows + (t->end.sample > 0) <= 1 : t->samples <= 1)
		return false;
	if (windows_only)
		t->batch = 1;
	else
		t->max_samples = t->samples / 2;
	t->acknowledged = 0;
	t->pinned = false;
	return true;
}

static enum push_verdict send_once(struct push_target *t, uint64_t *rejected)
{
	const struct push_request request = {
		.url = t->url,
		.type = t->body.type,
		.gzip = t->body.gzip,
		.grpc = t->peer->grpc,
		.identity = t->identity,
		.body = t->body.bytes.at,
		.len = t->body.bytes.len,
	};
	struct push_answer *a = &t->answer;

	*rejected = 0;
	if (t->peer->send)
		return t->peer->send(t);
	push_http_send(t->http, &request, a);
	*rejected = a->failure ? 0 : t->peer->judge(a);
	if (a->failure)
		push_answer_explain(a);
	t->answered_500 = a->status == 500 ? t->answered_500 + 1 : 0;
	/* a server that fails again and again with the same bytes fails because of them */
	if (t->answered_500 >= PUSH_MAX_500)
		return PUSH_GIVE_UP;
	return push_verdict(a->failure);
}

static void before_retry(struct push_target *t, enum push_verdict verdict, uint32_t tries)
{
	wait_ms(t, push_delay_ms(verdict, tries, t->answer.retry_after_ms, next_random(t)), false);
	pthread_mutex_lock(&t->common->lock);
	t->info.retries += !atomic_load(&t->common->stop);
	pthread_mutex_unlock(&t->common->lock);
}

/* Return: whether this request is over: what follows the position has to be built again. */
static bool is_final(struct push_target *t, enum push_verdict verdict)
{
	if (verdict == PUSH_SPLIT || verdict == PUSH_GIVE_UP) {
		if (make_smaller(t, verdict == PUSH_GIVE_UP))
			push_rewind(t);
		else
			refused(t);
		return true;
	}
	if (t->answer.failure != PUSH_TIMEOUT || t->tries % PUSH_SMALLER_AFTER ||
	    t->samples < 2 * PUSH_SMALLEST)
		return false;
	make_smaller(t, false);
	push_rewind(t);
	return true;
}

/* Send the request until there is a final answer or until it has to be built again. */
static void deliver(struct push_target *t)
{
	enum push_verdict verdict;
	uint64_t rejected;

	t->answered_500 = 0;
	while (!atomic_load(&t->common->stop)) {
		verdict = send_once(t, &rejected);
		if (verdict == PUSH_ACKNOWLEDGED) {
			acknowledged(t, rejected);
			return;
		}
		if (atomic_load(&t->common->stop))
			return;
		if (verdict == PUSH_REMAKE) {
			push_rewind(t);
			return;
		}
		t->tries++;
		count_failure(t, t->answer.failure, t->answer.error);
		/* a request that the server may have must be sent again unchanged */
		if (!t->doubt && is_final(t, verdict))
			return;
		before_retry(t, verdict, t->tries);
	}
}

/*
 * Write to the position file where the request ends, so that after a crash the same request is
 * built again. A request of one window needs no such record, unless the file has the end of a
 * larger request that was not delivered.
 */
static void save_end(struct push_target *t)
{
	bool one = t->windows <= 1 && !t->end.sample;
	const struct push_point until = one ? t->position.next : t->end;

	if (one && !push_point_before(&until, &t->position.until))
		return;
	t->position.until = until;
	save_position(t);
}

static bool make_url(struct push_target *t)
{
	char *base = net_url_join(t->options.url, t->peer->path);

	free(t->url);
	if (!base || asprintf(&t->url, "%s%s", base, t->body.query) < 0)
		t->url = NULL;
	free(base);
	return t->url != NULL;
}

static bool has_moved(const struct push_target *t)
{
	return push_point_before(&t->position.next, &t->end);
}

/* Windows without samples need no request: they count as acknowledged. */
static void skip_empty(struct push_target *t)
{
	pthread_mutex_lock(&t->common->lock);
	t->info.windows += t->windows;
	pthread_mutex_unlock(&t->common->lock);
	advance(t);
}

void *push_target_run(void *target)
{
	struct push_target *t = target;
	uint32_t failures = 0;

	while (!atomic_load(&t->common->stop)) {
		struct diag diag = { .offset = DIAG_NO_OFFSET };
		int r;

		push_fix_position(t);
		r = push_build_request(t, &diag);
		if (r > 0 && !make_url(t))
			r = diag_errno(&diag, ENOMEM, NULL);
		if (r < 0) {
			local_failure(t, &diag);
			push_rewind(t);
			wait_ms(t, push_delay_ms(PUSH_RETRY, ++failures, 0, next_random(t)), false);
			continue;
		}
		failures = 0;
		if (r) {
			save_end(t);
			deliver(t);
		} else if (has_moved(t) && !t->lingering) {
			skip_empty(t);
		} else {
			wait_ms(t, PUSH_POLL_MS, true);
		}
	}
	return NULL;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
	while (*text++);
	return hash;
}

/* Return: a hash of everything that the order of samples depends on. */
static uint64_t hash_order(const struct push_target *t)
{
	const char *const *service = t->options.services;
	uint64_t hash = hash_text(0xcbf29ce484222325ull, push_type_name(t->options.type));

	for (; *service && !t->peer->ungrouped; service++)
		hash = hash_text(hash, *service);
	return hash;
}

static int load_position(struct push_target *t, struct diag *diag)
{
	const uint64_t order = hash_order(t);
	int err = push_position_load(t->path, &t->position, diag);

	/* even if there is no file, a first request may have been sent */
	t->pinned = true;
	if (err == -EBADMSG)
		push_note(t, "%s is damaged: everything in the store is sent, some of it again",
			  t->path);
	else if (err && err != -ENOENT)
		return err;
	if (err)
		t->position = (struct push_position){ 0 };
	/* the order is another one: a window of which a part was sent is sent whole */
	if (t->position.order != order) {
		t->position.next.sample = 0;
		t->position.until.sample = 0;
		if (push_point_before(&t->position.until, &t->position.next))
			t->position.until = t->position.next;
	}
	t->position.order = order;
	t->loaded = t->position.next.window;
	return 0;
}

int push_target_init(struct push_target *t, struct push_common *common, const char *state,
		     const struct push_options *options, struct diag *diag)
{
	struct diag mine = { .offset = DIAG_NO_OFFSET };
	char words[PUSH_ERROR_BYTES];
	int err;

	err = push_check(options, diag);
	if (err)
		return err;
	t->common = common;
	err = push_options_copy(&t->options, options);
	if (err)
		return diag_errno(diag, -err, NULL);
	t->peer = peers[options->type];
	t->max_samples = t->peer->samples;
	t->batch = t->options.batch;
	t->doubt = t->peer->send != NULL;
	if (getrandom(&t->random, sizeof(t->random), GRND_NONBLOCK) < 0)
		t->random = clock_ns(CLOCK_MONOTONIC);
	if (asprintf(&t->path, "%s/%s.position", state, t->options.name) < 0) {
		t->path = NULL;
		return diag_errno(diag, ENOMEM, NULL);
	}
	err = push_http_new(&t->options, &t->http, diag);
	if (err)
		return err;
	err = load_position(t, &mine);
	if (err) {
		/* @mine points to a text that is released with the target */
		diag_format(&mine, words, sizeof(words));
		return diag_set(diag, -err, options->name, "%s", words);
	}
	return 0;
}

void push_target_release(struct push_target *t)
{
	push_rewind(t);
	if (t->peer)
		push_body_release(t->peer, &t->body);
	if (t->peer && t->peer->close)
		t->peer->close(&t->body);
	push_http_free(t->http);
	push_options_release(&t->options);
	free(t->path);
	free(t->url);
}
