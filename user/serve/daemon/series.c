// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a series from the store for the API: chooses the step, and joins all groups but the largest
 * ones. api_series.c and api_outcomes.c call it.
 */
#include "serve/daemon/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/sum.h"

#include "util/poison.h"

/* As many steps as a screen can show. */
#define AUTO_STEPS 300
#define NS_PER_MS 1000000u
#define NS_PER_SEC 1000000000ull

/* The smallest step that divides the range into at most about AUTO_STEPS; doubled after a week. */
static uint64_t auto_step(uint64_t range_ns)
{
	static const uint32_t seconds[] = { 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600,
					    7200, 14400, 21600, 43200, 86400, 604800 };
	uint64_t step_ns;
	size_t i = 0;

	while (i + 1 < sizeof(seconds) / sizeof(seconds[0]) &&
	       range_ns / AUTO_STEPS > seconds[i] * NS_PER_SEC)
		i++;
	step_ns = seconds[i] * NS_PER_SEC;
	while (range_ns / AUTO_STEPS > step_ns)
		step_ns *= 2;
	return step_ns;
}

static bool get_steps(struct series *s, const struct api_query *q, struct reply *r)
{
	const char *text = request_get(q->call->request, "step");
	uint64_t nr;

	s->step_ns = auto_step(q->store.to_ns - q->store.from_ns);
	if (text && (request_span(text, &s->step_ns) || s->step_ns < NS_PER_SEC)) {
		reply_error(r, 400, "bad_step", "step",
			    "step is not a time of at least a second, such as 30s");
		return false;
	}
	s->first_ns = q->store.from_ns - q->store.from_ns % s->step_ns;
	nr = (q->store.to_ns - s->first_ns - 1) / s->step_ns + 1;
	if (nr > SERIES_MAX_STEPS) {
		reply_error(r, 400, "too_many_steps", "step",
			    "the range has more than %u such steps", SERIES_MAX_STEPS);
		return false;
	}
	s->nr_steps = (uint32_t)nr;
	return true;
}

static bool start_group(const struct series *s, struct series_group *g, const char *name)
{
	g->name = strdup(name);
	g->values = calloc(s->nr_steps, sizeof(*g->values));
	return g->name && g->values;
}

/*
 * The group that a point belongs to. The store gives one group after the other, the largest first.
 */
static struct series_group *group_of(struct series *s, const char *name)
{
	struct series_group *g = s->nr ? &s->groups[s->nr - 1] : NULL;

	if (s->nr_rest)
		g = &s->rest;
	if (g && g->name && !strcmp(g->name, name))
		return g;
	if (s->nr < s->top)
		return start_group(s, &s->groups[s->nr++], name) ? &s->groups[s->nr - 1] : NULL;
	s->nr_rest++;
	if (!s->rest.values)
		return start_group(s, &s->rest, name) ? &s->rest : NULL;
	free(s->rest.name);
	s->rest.name = strdup(name);
	return s->rest.name ? &s->rest : NULL;
}

static int take(const struct store_point *point, void *arg)
{
	struct series *s = arg;
	struct series_group *g = group_of(s, point->group);
	uint64_t i = (point->at_ns - s->first_ns) / s->step_ns;

	if (!g)
		return -ENOMEM;
	if (point->at_ns < s->first_ns || i >= s->nr_steps)
		return 0;
	g->values[i] = sum_i64(g->values[i], point->value);
	g->total = sum_i64(g->total, point->value);
	return 0;
}

static void take_window(uint64_t middle_ns, uint64_t recorded_ns, void *arg)
{
	struct series *s = arg;
	uint64_t i = (middle_ns - s->first_ns) / s->step_ns;

	if (middle_ns >= s->first_ns && i < s->nr_steps)
		s->recorded_ns[i] += recorded_ns;
}

bool series_read(struct series *s, struct api_query *q, const char *label, uint64_t top,
		 struct store_coverage *c, struct reply *r)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int err;

	*s = (struct series){ .top = (uint32_t)top };
	if (!get_steps(s, q, r))
		return false;
	s->recorded_ns = calloc(s->nr_steps, sizeof(*s->recorded_ns));
	q->store.window = take_window;
	q->store.window_arg = s;
	err = !s->recorded_ns ? -ENOMEM :
	      store_series(q->call->source->store, &q->store, label, q->value, s->step_ns, take,
			   s, c, &diag);
	if (!err)
		return true;
	api_failed(q->call, err, &diag, r);
	series_release(s);
	return false;
}

static void release_group(struct series_group *g)
{
	free(g->name);
	free(g->values);
}

void series_release(struct series *s)
{
	uint32_t i;

	for (i = 0; i < s->nr; i++)
		release_group(&s->groups[i]);
	release_group(&s->rest);
	free(s->recorded_ns);
	*s = (struct series){ 0 };
}

void series_put_steps(struct json *j, const struct series *s)
{
	uint32_t i;

	json_u64(j, "first_ms", s->first_ns / NS_PER_MS);
	json_u64(j, "step_ms", s->step_ns / NS_PER_MS);
	json_u64(j, "steps", s->nr_steps);
	json_array(j, "recorded_ms");
	for (i = 0; i < s->nr_steps; i++)
		json_u64(j, NULL, s->recorded_ns[i] / NS_PER_MS);
	json_array_end(j);
}

void series_put_values(struct json *j, const struct series *s, const struct series_group *g)
{
	uint32_t i;

	json_i64(j, "total", g->total);
	json_array(j, "values");
	for (i = 0; i < s->nr_steps; i++)
		json_i64(j, NULL, g->values ? g->values[i] : 0);
	json_array_end(j);
}
