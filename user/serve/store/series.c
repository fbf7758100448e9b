// SPDX-License-Identifier: GPL-2.0-only
/* store_series(): sums the selected samples by group and step of time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/store/groups.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/intern.h"
#include "util/sum.h"

#include "util/poison.h"

/* Points of an answer; a query with more has too short steps. */
#define MAX_POINTS (1u << 22)

struct point {
	uint64_t step;
	int64_t value;
	uint32_t group;
	uint32_t rank;
};

/**
 * struct series - an answer that is being made
 * @query: the windows of the query
 * @groups: the groups and their sums
 * @type: name of the value type
 * @step_ns: length of a step
 * @points: the values, numbered from 1
 * @nr: number of the next point
 * @room: number of entries that @points has memory for
 * @index: numbers of @points by group and step
 */
struct series {
	struct query_walk query;
	struct groups groups;
	const char *type;
	uint64_t step_ns;
	struct point *points;
	uint32_t nr;
	size_t room;
	struct intern index;
};

/*
 * Gets the point of a group and step, and makes it if it is new. Return: NULL without memory or
 * after MAX_POINTS.
 */
static struct point *find(struct series *s, uint32_t group, uint64_t step)
{
	const uint64_t key[] = { group, step };
	uint64_t hash = intern_words(&s->index, key, 2);
	struct intern_probe at;
	uint32_t n;

	for (at = intern_probe(&s->index, hash); (n = intern_next(&s->index, &at));)
		if (s->points[n].group == group && s->points[n].step == step)
			return &s->points[n];
	if (s->nr > MAX_POINTS || !array_has_room(s->points, s->nr, s->room) ||
	    !intern_room(&s->index))
		return NULL;
	intern_put(&s->index, hash, s->nr);
	s->points[s->nr] = (struct point){ .step = step, .group = group };
	return &s->points[s->nr++];
}

/* Return: index of the value type in the window; negative if the window does not have it. */
static int find_type(const struct series *s)
{
	const struct store_samples *w = &s->query.walk.samples;
	const struct profile *p = s->query.walk.open->defs;
	uint32_t i;

	for (i = 0; i < w->nr_value_types; i++)
		if (!strcmp(profile_text(p, w->value_types[i].type), s->type))
			return (int)i;
	return -1;
}

static int add_window(struct series *s)
{
	const struct store_samples *w = &s->query.walk.samples;
	uint64_t step = s->query.middle_ns / s->step_ns;
	int type = find_type(s), err;
	uint32_t i, group;

	if (s->query.fresh)
		query_walk_forget(&s->groups.of);
	for (i = 0; type >= 0 && i < w->nr_samples; i++) {
		struct point *p;

		if (!query_walk_selects(&s->query, &w->samples[i]))
			continue;
		err = groups_find(&s->groups, &s->query, w->samples[i].labels, &group);
		if (err)
			return err;
		p = find(s, group, step);
		if (!p)
			return s->nr > MAX_POINTS ? -E2BIG : -ENOMEM;
		groups_count(&s->groups, group, w->samples[i].value[type]);
		p->value = sum_i64(p->value, w->samples[i].value[type]);
	}
	return 0;
}

static int by_rank(const void *x, const void *y)
{
	const struct point *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->step < b->step ? -1 : a->step > b->step;
}

/* Sorts points by group, the one with the largest sum first, and by step. */
static int rank(struct series *s)
{
	_cleanup_(cleanup_free) uint32_t *ranks = groups_ranks(&s->groups);
	uint32_t i;

	if (!ranks)
		return -ENOMEM;
	for (i = 1; i < s->nr; i++)
		s->points[i].rank = ranks[s->points[i].group];
	qsort(s->points + 1, s->nr - 1, sizeof(*s->points), by_rank);
	return 0;
}

static int hand_out(struct series *s, int (*take)(const struct store_point *point, void *arg),
		    void *arg)
{
	int err = rank(s);
	uint32_t i;

	for (i = 1; i < s->nr && !err; i++) {
		const struct point *p = &s->points[i];
		const struct store_point out = {
			.group = s->groups.texts.entries[p->group].s,
			.at_ns = p->step * s->step_ns, .value = p->value,
		};

		if (p->value)
			err = take(&out, arg);
	}
	return err;
}

static int say(const struct series *s, int err, struct diag *diag)
{
	if (err == -E2BIG)
		return diag_set(diag, E2BIG, s->query.dir,
				"more than %u values: longer steps are needed", MAX_POINTS);
	return err ? diag_errno(diag, -err, s->query.dir) : 0;
}

int store_series(const char *dir, const struct store_query *query, const char *label,
		 const char *value_type, uint64_t step_ns,
		 int (*point)(const struct store_point *point, void *arg), void *arg,
		 struct store_coverage *ret, struct diag *diag)
{
	struct series s = { .type = value_type, .step_ns = step_ns };
	int err = query_walk_init(&s.query, dir, query, diag), n = 1;

	intern_init(&s.index);
	if (groups_init(&s.groups, label) || !array_has_room(s.points, s.nr, s.room))
		err = diag_errno(diag, ENOMEM, dir);
	s.nr = 1;
	while (!err && (n = query_walk_next(&s.query, diag)) > 0)
		err = say(&s, add_window(&s), diag);
	err = query_walk_end(&s.query, err ? err : n, ret, diag);
	if (!err)
		err = hand_out(&s, point, arg);
	if (err == -ENOMEM)
		diag_errno(diag, ENOMEM, dir);
	groups_release(&s.groups);
	intern_release(&s.index);
	free(s.points);
	return err;
}
