// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads parameters that several paths of the API share, queries the store, and turns errors into
 * replies. The api_*.c files call it.
 */
#include "serve/daemon/api_query.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "show/report/select.h"
#include "util/cleanup.h"
#include "util/clock.h"

#include "util/poison.h"

#define DEFAULT_RANGE "now-1h"
#define DEFAULT_VALUE "cpu"

static bool too_late(const struct api_call *call)
{
	return clock_ns(CLOCK_MONOTONIC) >= call->deadline_ns;
}

static bool stop(void *arg)
{
	const struct api_call *call = arg;

	return (call->gone && call->gone(call->gone_arg)) || too_late(call);
}

/* The parameter's name with its prefix, as the client writes it. */
static const char *prefixed(const char *prefix, const char *key, char buf[32])
{
	snprintf(buf, 32, "%s%s", prefix, key);
	return buf;
}

static bool get_time(struct api_call *call, const char *key, const char *otherwise,
		     uint64_t *ret, struct reply *r)
{
	const char *text = request_get(call->request, key);

	if (!request_time(text ? text : otherwise, call->now_ns, ret))
		return true;
	reply_error(r, 400, "bad_time", key,
		    "%s is not a time, such as 1700000000.5, now, now-15m, 2026-11-22T10:00:00Z",
		    key);
	return false;
}

static bool get_selector(struct api_query *q, const char *key, struct reply *r)
{
	const char *text = request_get(q->call->request, key);
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int err;

	err = store_selector_new(text, &q->store.selector, &diag);
	if (!err)
		return true;
	if (err != -EINVAL)
		api_failed(q->call, err, &diag, r);
	else if (diag.offset == DIAG_NO_OFFSET)
		reply_error(r, 400, "bad_selector", key, "%s", diag.text);
	else
		reply_error(r, 400, "bad_selector", key, "at character %llu: %s",
			    (unsigned long long)diag.offset, diag.text);
	return false;
}

static bool get_range(struct api_query *q, const char *prefix, struct reply *r)
{
	char from[32], to[32];

	prefixed(prefix, "from", from);
	prefixed(prefix, "to", to);
	if (!get_time(q->call, from, DEFAULT_RANGE, &q->store.from_ns, r) ||
	    !get_time(q->call, to, "now", &q->store.to_ns, r))
		return false;
	if (q->store.from_ns < q->store.to_ns)
		return true;
	reply_error(r, 400, "bad_range", from, "%s is not before %s", from, to);
	return false;
}

bool api_query_init(struct api_query *q, struct api_call *call, const char *prefix,
		    struct reply *r)
{
	char key[32];

	*q = (struct api_query){
		.store = { .stop = stop, .arg = call },
		.value = request_get(call->request, "value"),
		.call = call,
	};
	if (!q->value)
		q->value = DEFAULT_VALUE;
	prefixed(prefix, "select", key);
	/* without "before_select" both ranges use the same selector */
	if (!request_get(call->request, key))
		prefixed("", "select", key);
	return get_range(q, prefix, r) && get_selector(q, key, r);
}

void api_query_release(struct api_query *q)
{
	store_selector_free(q->store.selector);
	q->store.selector = NULL;
}

bool api_u64(struct api_call *call, const char *key, uint64_t most, uint64_t *ret,
	     struct reply *r)
{
	struct diag diag;

	if (!request_u64(call->request, key, most, ret, &diag))
		return true;
	reply_error(r, 400, "bad_number", key, "%s %s", key, diag.text);
	return false;
}

void api_failed(struct api_call *call, int err, const struct diag *diag, struct reply *r)
{
	char text[384];

	switch (err) {
	case -EINTR:
		r->gone = !too_late(call);
		reply_error(r, 504, "timeout", NULL,
			    "reading took more than %u s: ask for a shorter range, or select less",
			    API_MAX_SECONDS);
		return;
	case -ENOMEM:
		reply_error(r, 500, "no_memory", NULL, "there is no memory for the answer");
		return;
	case -E2BIG:
		reply_error(r, 413, "too_much", NULL, "%s: ask for a shorter range, or select less",
			    diag && *diag->text ? diag->text : "there are too many stacks");
		return;
	/* the answer's file has reached its limit: see struct reply */
	case -EPERM:
		reply_too_large(r);
		return;
	case -ENOENT:
		reply_error(r, 503, "no_store", NULL, "there is no store yet");
		return;
	}
	if (diag && *diag->text)
		diag_format(diag, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "%s", strerror(-err));
	reply_error(r, 500, "failed", NULL, "%s", text);
}

struct profile *api_sum(struct api_query *q, const char *const *keep,
			struct store_coverage *coverage, struct reply *r)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct profile *p = profile_new();
	int err = p ? 0 : -ENOMEM;

	q->store.keep = keep;
	if (!err)
		err = store_sum(q->call->source->store, &q->store, p, coverage, &diag);
	if (!err)
		err = profile_error(p);
	if (!err)
		return p;
	profile_free(p);
	api_failed(q->call, err, &diag, r);
	return NULL;
}

/*
 * Finds a value type by its name; in a profile without samples @ret may be any index. Return: whether
 * the profile has it; if not, @r has the error.
 */
static bool find_value(struct profile *p, const char *name, uint32_t *ret, struct reply *r)
{
	struct diag diag = { .file = NULL };

	/* an empty profile has no value types; this is not the client's fault */
	if (!p->nr_samples && !p->nr_value_types)
		profile_value_type(p, name, "");
	if (!report_value_type(p, name, NULL, ret, &diag) || !p->nr_samples)
		return true;
	reply_error(r, 404, "no_such_value", "value", "%s", diag.text);
	return false;
}

struct profile *api_sum_value(struct api_query *q, const char *const *keep,
			      struct store_coverage *coverage, uint32_t *value,
			      struct reply *r)
{
	struct profile *p = api_sum(q, keep, coverage, r);
	uint32_t i;
	bool ok = p && find_value(p, q->value, value, r);

	for (i = 0; ok && i < p->nr_samples; i++)
		if (p->samples[i].value[*value] < 0) {
			reply_error(r, 422, "negative", "value",
				    "a sample is negative, which has no width");
			ok = false;
		}
	if (ok)
		return p;
	profile_free(p);
	return NULL;
}

/* Times are sent in milliseconds, because a number of JavaScript cannot hold nanoseconds. */
#define NS_PER_MS 1000000u

void api_json(struct json *j, struct reply *r, const struct api_query *q,
	      const struct store_coverage *c)
{
	json_init(j, r->out);
	json_object(j, NULL);
	json_u64(j, "from_ms", q->store.from_ns / NS_PER_MS);
	json_u64(j, "to_ms", q->store.to_ns / NS_PER_MS);
	json_object(j, "coverage");
	json_u64(j, "windows", c->windows);
	json_u64(j, "first_ms", c->first_ns / NS_PER_MS);
	json_u64(j, "last_ms", c->last_ns / NS_PER_MS);
	json_u64(j, "recorded_ms", c->recorded_ns / NS_PER_MS);
	json_u64(j, "unreadable", c->bad);
	json_object_end(j);
}

void api_json_end(struct json *j)
{
	json_object_end(j);
	json_end(j);
}

struct calltree *api_tree(struct api_call *call, const struct profile *p,
			  const struct profile *before, const uint32_t value[2],
			  struct reply *r)
{
	const struct calltree_options o = { .value = { value[0], value[1] } };
	struct calltree *t;
	int err = calltree_new(p, before, &o, &t);

	if (!err)
		return t;
	api_failed(call, err, NULL, r);
	return NULL;
}
