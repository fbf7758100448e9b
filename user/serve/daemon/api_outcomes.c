// SPDX-License-Identifier: GPL-2.0-only
/*
 * /api/v1/outcomes: how many stacks are complete, and why the others end early.
 * /api/v1/reasons: what each of these reasons means.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/api_query.h"
#include "serve/daemon/reasons.h"
#include "serve/daemon/series.h"
#include "profile/whole.h"
#include "show/report/reasons.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/strings.h"
#include "util/sum.h"

#include "util/poison.h"

#define DEFAULT_LIMIT 50
#define MAX_LIMIT 10000

/**
 * struct ending - the part of a group whose stacks ended for one reason
 * @group: number of the group's name in struct endings' @strings
 * @reason: number of the reason's name there
 * @value: sum of the samples' values
 * @all: the same for all reasons of the group
 */
struct ending {
	uint32_t group;
	uint32_t reason;
	int64_t value;
	int64_t all;
};

/**
 * struct endings - all groups and reasons of an answer
 * @strings: names of groups and reasons
 * @index: finds entries of @rows by group and reason
 * @rows: one entry for each pair of group and reason
 * @nr: number of entries in @rows
 * @room: number of entries that @rows has memory for
 */
struct endings {
	struct strings strings;
	struct intern index;
	struct ending *rows;
	size_t nr;
	size_t room;
};

static void release_endings(struct endings *e)
{
	strings_release(&e->strings);
	intern_release(&e->index);
	free(e->rows);
}

static int init_endings(struct endings *e)
{
	*e = (struct endings){ .rows = NULL };
	intern_init(&e->index);
	return strings_init(&e->strings);
}

/* Gets the row of a group and reason, and makes it if it is new. Return: NULL without memory. */
static struct ending *row_of(struct endings *e, uint32_t group, uint32_t reason)
{
	const uint64_t key[] = { group, reason };
	uint64_t hash = intern_words(&e->index, key, 2);
	struct intern_probe p;
	uint32_t n;

	for (p = intern_probe(&e->index, hash); (n = intern_next(&e->index, &p));)
		if (e->rows[n - 1].group == group && e->rows[n - 1].reason == reason)
			return &e->rows[n - 1];
	if (!array_has_room(e->rows, e->nr, e->room) || !intern_room(&e->index))
		return NULL;
	e->rows[e->nr++] = (struct ending){ .group = group, .reason = reason };
	intern_put(&e->index, hash, (uint32_t)e->nr);
	return &e->rows[e->nr - 1];
}

static int count(struct endings *e, const char *group, const char *reason, int64_t value)
{
	struct ending *row;
	uint32_t g, why;
	int err = strings_add(&e->strings, group, strlen(group), &g);

	if (!err)
		err = strings_add(&e->strings, reason, strlen(reason), &why);
	if (err)
		return err;
	row = row_of(e, g, why);
	if (!row)
		return -ENOMEM;
	row->value = sum_i64(row->value, value);
	return 0;
}

/* The file of the outermost frame. An unfinished stack ends in this file. */
static const char *outermost_file(const struct profile *p, uint32_t stack)
{
	const struct profile_location *l;

	while (stack && p->stacks[stack].parent)
		stack = p->stacks[stack].parent;
	l = &p->locations[p->stacks[stack].location];
	return profile_text(p, p->mappings[l->mapping].file);
}

static int count_all(struct endings *e, const struct profile *p, uint32_t value, const char *by)
{
	bool binary = !strcmp(by, "binary");
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < p->nr_samples; i++) {
		const struct profile_sample *s = &p->samples[i];
		const char *why = profile_label_text(p, s->labels, PROFILE_LABEL_STACK), *group;

		if (!why || !s->value[value])
			continue;
		/* no file is to blame for a complete stack */
		if (binary && !profile_stack_is_short(why))
			continue;
		group = binary ? outermost_file(p, s->stack) : profile_label_text(p, s->labels, by);
		err = count(e, group ? group : "", why, s->value[value]);
	}
	return err;
}

/* Sums up each group over its reasons. */
static int sum_groups(struct endings *e)
{
	int64_t *all = calloc(e->strings.nr, sizeof(*all));
	size_t i;

	if (!all)
		return -ENOMEM;
	for (i = 0; i < e->nr; i++)
		all[e->rows[i].group] = sum_i64(all[e->rows[i].group], e->rows[i].value);
	for (i = 0; i < e->nr; i++)
		e->rows[i].all = all[e->rows[i].group];
	free(all);
	return 0;
}

/* Orders groups by their sums, and the reasons of each group by their values, largest first. */
static int by_size(const void *a, const void *b)
{
	const struct ending *x = a, *y = b;

	if (x->all != y->all)
		return x->all > y->all ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->reason > y->reason) - (x->reason < y->reason);
}

static void put_reason(struct json *j, const char *name, int64_t value)
{
	json_object(j, NULL);
	json_string(j, "name", name);
	json_i64(j, "value", value);
	json_object_end(j);
}

static void put_groups(struct json *j, const struct endings *e, uint64_t limit)
{
	uint64_t nr = 0, left_out = 0;
	size_t i, k;

	json_array(j, "groups");
	for (i = 0; i < e->nr; i = k) {
		for (k = i + 1; k < e->nr && e->rows[k].group == e->rows[i].group; k++)
			;
		if (nr == limit) {
			left_out++;
			continue;
		}
		nr++;
		json_object(j, NULL);
		json_string(j, "name", e->strings.entries[e->rows[i].group].s);
		json_i64(j, "total", e->rows[i].all);
		json_array(j, "reasons");
		for (; i < k; i++)
			put_reason(j, e->strings.entries[e->rows[i].reason].s, e->rows[i].value);
		json_array_end(j);
		json_object_end(j);
	}
	json_array_end(j);
	json_u64(j, "left_out", left_out);
}

/* Writes the counts from which clients compute the share of complete stacks: profile/whole.h. */
static void put_whole(struct json *j, const struct profile_whole *w)
{
	json_object(j, "whole");
	json_i64(j, "stacks", w->stacks);
	json_i64(j, "complete", w->complete);
	json_i64(j, "guessed", w->guessed);
	json_i64(j, "none", w->none);
	json_object_end(j);
}

static void put_all_reasons(struct json *j, const struct profile *p, uint32_t value)
{
	struct report_reason reasons[REPORT_MAX_REASONS];
	struct profile_whole whole = { 0 };
	unsigned int nr, i;
	int64_t all;

	nr = report_reasons(p, value, NULL, NULL, reasons, &all);
	for (i = 0; i < nr; i++)
		profile_whole_add(&whole, reasons[i].name, reasons[i].value);
	json_i64(j, "all", all);
	put_whole(j, &whole);
	json_array(j, "reasons");
	for (i = 0; i < nr; i++)
		put_reason(j, reasons[i].name, reasons[i].value);
	json_array_end(j);
}

static void by_group(struct api_query *q, const char *by, uint64_t limit, struct reply *r)
{
	const char *const keep[] = { PROFILE_LABEL_STACK, by, NULL };
	_cleanup_(profile_cleanup) struct profile *p = NULL;
	_cleanup_(release_endings) struct endings e;
	struct store_coverage c = { 0 };
	uint32_t value;
	struct json j;
	int err = init_endings(&e);

	p = err ? NULL : api_sum_value(q, keep, &c, &value, r);
	if (!p)
		return;
	err = count_all(&e, p, value, by);
	if (!err)
		err = sum_groups(&e);
	if (err) {
		api_failed(q->call, err, NULL, r);
		return;
	}
	if (e.nr)
		qsort(e.rows, e.nr, sizeof(*e.rows), by_size);
	api_json(&j, r, q, &c);
	json_string(&j, "by", by);
	json_string(&j, "value", q->value);
	put_all_reasons(&j, p, value);
	put_groups(&j, &e, limit);
	api_json_end(&j);
}

static void add_group(struct series *s, struct series_group *to, const struct series_group *g)
{
	uint32_t i;

	to->total = sum_i64(to->total, g->total);
	for (i = 0; i < s->nr_steps; i++)
		to->values[i] = sum_i64(to->values[i], g->values[i]);
}

/* Writes the sum of all reasons from number @top on. */
static void put_rest(struct json *j, struct series *s, uint32_t top)
{
	struct series_group *rest = &s->groups[top];
	uint32_t i;

	for (i = top + 1; i < s->nr; i++)
		add_group(s, rest, &s->groups[i]);
	if (s->nr_rest)
		add_group(s, rest, &s->rest);
	json_object(j, "rest");
	json_u64(j, "reasons", s->nr - top + s->nr_rest);
	series_put_values(j, s, rest);
	json_object_end(j);
}

static void put_times(struct json *j, struct series *s, uint32_t top)
{
	struct profile_whole whole = { 0 };
	int64_t all = s->rest.total;
	uint32_t i;

	if (s->nr_rest)
		profile_whole_add(&whole, s->rest.name, s->rest.total);
	for (i = 0; i < s->nr; i++) {
		all = sum_i64(all, s->groups[i].total);
		profile_whole_add(&whole, s->groups[i].name, s->groups[i].total);
	}
	series_put_steps(j, s);
	json_i64(j, "all", all);
	put_whole(j, &whole);
	json_array(j, "reasons");
	for (i = 0; i < s->nr && i < top; i++) {
		json_object(j, NULL);
		json_string(j, "name", s->groups[i].name);
		series_put_values(j, s, &s->groups[i]);
		json_object_end(j);
	}
	json_array_end(j);
	if (s->nr > top)
		put_rest(j, s, top);
}

/*
 * Leaves out samples that do not say how their stacks ended, such as those of other tools. Return:
 * false after an error, which is in @r.
 */
static bool with_reason(struct api_query *q, struct reply *r)
{
	struct diag diag;
	int err = store_selector_add(q->store.selector, PROFILE_LABEL_STACK, STORE_NOT_EQUAL, "",
				     &diag);

	if (err == -EINVAL)
		reply_error(r, 400, "bad_selector", "select", "%s", diag.text);
	else if (err)
		api_failed(q->call, err, &diag, r);
	return !err;
}

static void by_time(struct api_query *q, struct reply *r)
{
	struct store_coverage c = { 0 };
	uint64_t top = REPORT_MAX_REASONS;
	struct series s;
	struct json j;

	if (!api_u64(q->call, "top", REPORT_MAX_REASONS, &top, r))
		return;
	if (!with_reason(q, r) || !series_read(&s, q, PROFILE_LABEL_STACK, SERIES_MAX_TOP, &c, r))
		return;
	api_json(&j, r, q, &c);
	json_string(&j, "by", "time");
	json_string(&j, "value", q->value);
	put_times(&j, &s, (uint32_t)top);
	api_json_end(&j);
	series_release(&s);
}

void api_outcomes(struct api_call *call, struct reply *r)
{
	const char *by = request_get(call->request, "by");
	uint64_t limit = DEFAULT_LIMIT;
	struct api_query q;

	if (!api_u64(call, "limit", MAX_LIMIT, &limit, r) || !api_query_init(&q, call, "", r))
		return;
	if (!by || !strcmp(by, "time"))
		by_time(&q, r);
	else
		by_group(&q, by, limit, r);
	api_query_release(&q);
}

void api_reasons(struct api_call *call, struct reply *r)
{
	const struct daemon_reason *at;
	struct json j;

	json_init(&j, r->out);
	json_object(&j, NULL);
	json_array(&j, "reasons");
	for (at = daemon_reasons; at->name; at++) {
		json_object(&j, NULL);
		json_string(&j, "name", at->name);
		json_string(&j, "means", at->means);
		json_string(&j, "fix", at->fix);
		json_object_end(&j);
	}
	json_array_end(&j);
	api_json_end(&j);
}
