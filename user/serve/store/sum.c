// SPDX-License-Identifier: GPL-2.0-only
/* store_sum(): adds up the selected samples of many windows to one profile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/store/ask.h"
#include "serve/store/pick.h"

#include "util/poison.h"

/**
 * struct sum - a sum that is being made
 * @ask: the windows of the query
 * @pick: copies from the segment's definitions into the sum
 * @seen: for each string of the sum: 1 if it is one of its comments
 * @room: number of entries that @seen has memory for
 */
struct sum {
	struct ask ask;
	struct pick pick;
	uint8_t *seen;
	size_t room;
};

/* Adds a comment to the sum unless it has it. */
static int see_comment(struct sum *s, uint32_t string)
{
	struct profile *to = s->pick.to;
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
	struct profile *to = s->pick.to;
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
	const struct store_samples *w = &s->ask.walk.samples;
	const struct store_head *h = s->ask.head;
	struct profile *to = s->pick.to;
	int err = 0;
	uint32_t i;

	profile_add_time(to, h->time_ns, h->duration_ns);
	if (!to->period && !to->period_type.type) {
		to->period = w->period;
		to->period_type.type = pick_string(&s->pick, w->period_type.type);
		to->period_type.unit = pick_string(&s->pick, w->period_type.unit);
	}
	if (!to->default_type)
		to->default_type = pick_string(&s->pick, w->default_type);
	for (i = 0; i < w->nr_comments && !err; i++)
		err = see_comment(s, pick_string(&s->pick, w->comments[i]));
	return err;
}

static int add_window(struct sum *s)
{
	const struct profile *from = s->ask.walk.open->defs;
	const struct store_samples *w = &s->ask.walk.samples;
	int64_t value[PROFILE_MAX_VALUES] = { 0 };
	uint32_t type[PROFILE_MAX_VALUES], i, k;
	struct pick *p = &s->pick;
	int err;

	if (s->ask.fresh)
		pick_begin(p, from, p->to);
	err = add_head(s);
	for (k = 0; k < w->nr_value_types; k++)
		type[k] = profile_value_type(p->to, profile_text(from, w->value_types[k].type),
					     profile_text(from, w->value_types[k].unit));
	if (err || pick_error(p))
		return err ? err : pick_error(p);
	for (i = 0; i < w->nr_samples; i++) {
		if (!ask_selects(&s->ask, &w->samples[i]))
			continue;
		for (k = 0; k < w->nr_value_types; k++)
			value[type[k]] = w->samples[i].value[k];
		profile_add(p->to, pick_stack(p, w->samples[i].stack),
			    pick_labels(p, w->samples[i].labels), value);
	}
	p->nr_named = 0;
	return pick_error(p);
}

int store_sum(const char *dir, const struct store_query *query, struct profile *into,
	      struct store_coverage *ret, struct diag *diag)
{
	struct sum s = { .pick = { .to = into, .keep = query->keep } };
	int err = ask_init(&s.ask, dir, query, diag), n = 1;

	if (!err && see_old_comments(&s))
		err = diag_errno(diag, ENOMEM, dir);
	while (!err && (n = ask_next(&s.ask, diag)) > 0) {
		err = add_window(&s);
		if (err)
			diag_errno(diag, -err, dir);
	}
	err = ask_end(&s.ask, err ? err : n, ret, diag);
	pick_release(&s.pick);
	free(s.seen);
	return err;
}
