// SPDX-License-Identifier: GPL-2.0-only
/* store_sum(): adds up the selected samples of many windows to one profile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/store/query_walk.h"
#include "serve/store/copier.h"

#include "util/poison.h"

/**
 * struct sum - a sum that is being made
 * @query: the windows of the query
 * @copier: copies from the segment's definitions into the sum
 * @seen: for each string of the sum: 1 if it is one of its comments
 * @room: number of entries that @seen has memory for
 */
struct sum {
	struct query_walk query;
	struct copier copier;
	uint8_t *seen;
	size_t room;
};

/* Adds a comment to the sum unless it has it. */
static int see_comment(struct sum *s, uint32_t string)
{
	struct profile *to = s->copier.to;
	size_t room = s->room;
	uint8_t *seen;

	if (string >= room) {
		room = 2ul * to->nr_strings;
		seen = reallocarray(s->seen, room, 1);
		if (!seen)
			return -ENOMEM;
		memset(seen + s->room, 0, room - s->room);
		s->seen = seen;
		s->room = room;
	}
	if (s->seen[string])
		return 0;
	s->seen[string] = 1;
	profile_comment(to, profile_text(to, string));
	return 0;
}

/* Marks the comments that the sum had before. */
static int see_old_comments(struct sum *s)
{
	struct profile *to = s->copier.to;
	uint32_t nr = to->nr_comments, i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = see_comment(s, to->comments[i]);
	/* see_comment() has added each a second time */
	to->nr_comments = nr;
	return err;
}

/* Adds a window's time, period and comments, in the same way as profile_merge(). */
static int add_head(struct sum *s)
{
	const struct store_samples *w = &s->query.walk.samples;
	const struct store_head *h = s->query.head;
	struct profile *to = s->copier.to;
	int err = 0;
	uint32_t i;

	profile_add_time(to, h->time_ns, h->duration_ns);
	if (!to->period && !to->period_type.type) {
		to->period = w->period;
		to->period_type.type = copier_string(&s->copier, w->period_type.type);
		to->period_type.unit = copier_string(&s->copier, w->period_type.unit);
	}
	if (!to->default_type)
		to->default_type = copier_string(&s->copier, w->default_type);
	for (i = 0; i < w->nr_comments && !err; i++)
		err = see_comment(s, copier_string(&s->copier, w->comments[i]));
	return err;
}

static int add_window(struct sum *s)
{
	const struct profile *from = s->query.walk.open->defs;
	const struct store_samples *w = &s->query.walk.samples;
	int64_t value[PROFILE_MAX_VALUES] = { 0 };
	uint32_t type[PROFILE_MAX_VALUES], i, k;
	struct copier *p = &s->copier;
	int err;

	if (s->query.fresh)
		copier_begin(p, from, p->to);
	err = add_head(s);
	for (k = 0; k < w->nr_value_types; k++)
		type[k] = profile_value_type(p->to, profile_text(from, w->value_types[k].type),
					     profile_text(from, w->value_types[k].unit));
	if (err || copier_error(p))
		return err ? err : copier_error(p);
	for (i = 0; i < w->nr_samples; i++) {
		if (!query_walk_selects(&s->query, &w->samples[i]))
			continue;
		for (k = 0; k < w->nr_value_types; k++)
			value[type[k]] = w->samples[i].value[k];
		profile_add(p->to, copier_stack(p, w->samples[i].stack),
			    copier_labels(p, w->samples[i].labels), value);
	}
	p->nr_named = 0;
	return copier_error(p);
}

int store_sum(const char *dir, const struct store_query *query, struct profile *into,
	      struct store_coverage *ret, struct diag *diag)
{
	struct sum s = { .copier = { .to = into, .keep = query->keep } };
	int err = query_walk_init(&s.query, dir, query, diag), n = 1;

	if (!err && see_old_comments(&s))
		err = diag_errno(diag, ENOMEM, dir);
	while (!err && (n = query_walk_next(&s.query, diag)) > 0) {
		err = add_window(&s);
		if (err)
			diag_errno(diag, -err, dir);
	}
	err = query_walk_end(&s.query, err ? err : n, ret, diag);
	copier_release(&s.copier);
	free(s.seen);
	return err;
}
