// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks over the windows of a query: sum.c, series.c and values.c call query_walk_next() in a
 * loop. A segment that cannot be read is counted and skipped.
 */
#include "serve/store/query_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

int query_walk_init(struct query_walk *a, const char *dir, const struct store_query *q,
		    struct diag *diag)
{
	int err;

	*a = (struct query_walk){ .q = q, .dir = dir };
	err = store_walk_init(&a->walk, dir, NULL, diag);
	a->walk.from_ns = q->from_ns;
	a->walk.to_ns = q->to_ns;
	return err;
}

void query_walk_release(struct query_walk *a)
{
	store_walk_release(&a->walk);
	free(a->selected.of);
}

uint32_t *query_walk_memo(struct query_walk *a, struct query_walk_memo *m, uint32_t labels)
{
	size_t room = m->room ? m->room : ARRAY_FIRST_ROOM;
	uint32_t *of;

	if (labels < m->room)
		return &m->of[labels];
	while (room <= labels)
		room *= 2;
	of = reallocarray(m->of, room, sizeof(*of));
	if (!of)
		return NULL;
	memset(of + m->room, 0, (room - m->room) * sizeof(*of));
	m->of = of;
	m->room = room;
	return &m->of[labels];
}

void query_walk_forget(struct query_walk_memo *m)
{
	if (m->room)
		memset(m->of, 0, m->room * sizeof(*m->of));
}

/*
 * Counts a segment that cannot be read, so that the query goes on with the others. Return: 0 to
 * go on.
 */
static int met_bad(struct query_walk *a, int err, struct diag *diag)
{
	const struct store_position *at = &a->walk.at;

	if (diag)
		diag->file = a->dir;
	if (err == -ENOMEM)
		return err;
	/* a second error at the same position means that the walk does not advance */
	if (a->coverage.bad && !memcmp(at, &a->last_bad, sizeof(*at)))
		return err;
	a->last_bad = *at;
	a->coverage.bad++;
	return 0;
}

void store_cover(struct store_coverage *c, uint64_t start, uint64_t end)
{
	if (!c->windows || start < c->first_ns)
		c->first_ns = start;
	if (start < c->last_ns)
		start = c->last_ns;
	if (end > start)
		c->recorded_ns += end - start;
	if (end > c->last_ns)
		c->last_ns = end;
	c->windows++;
}

static bool is_in(struct query_walk *a)
{
	const struct store_query *q = a->q;

	if (__builtin_add_overflow(a->head->time_ns, a->head->duration_ns / 2, &a->middle_ns))
		return false;
	return a->middle_ns >= q->from_ns && (!q->to_ns || a->middle_ns < q->to_ns);
}

/* Counts the window in the coverage, and passes it to the query's callback. */
static void cover(struct query_walk *a)
{
	uint64_t before = a->coverage.recorded_ns;

	store_cover(&a->coverage, a->head->time_ns, store_head_end(a->head));
	if (a->q->window)
		a->q->window(a->middle_ns, a->coverage.recorded_ns - before, a->q->window_arg);
}

int query_walk_next(struct query_walk *a, struct diag *diag)
{
	int n;

	for (;;) {
		if (a->q->stop && a->q->stop(a->q->arg))
			return diag_errno(diag, EINTR, a->dir);
		n = store_walk_next(&a->walk, &a->head, diag);
		if (n < 0) {
			n = met_bad(a, n, diag);
			if (n)
				return n;
			continue;
		}
		if (!n)
			return 0;
		if (is_in(a))
			break;
	}
	a->fresh = a->generation != a->walk.generation;
	a->generation = a->walk.generation;
	if (a->fresh)
		query_walk_forget(&a->selected);
	cover(a);
	return 1;
}

bool query_walk_selects(struct query_walk *a, const struct profile_sample *s)
{
	uint32_t *known;

	if (!a->q->selector)
		return true;
	known = query_walk_memo(a, &a->selected, s->labels);
	if (known && *known)
		return *known - 1;
	if (!known)
		return store_selector_matches(a->q->selector, a->walk.open->defs, s->labels);
	*known = 1u + store_selector_matches(a->q->selector, a->walk.open->defs, s->labels);
	return *known - 1;
}

int query_walk_end(struct query_walk *a, int err, struct store_coverage *ret, struct diag *diag)
{
	int given_up = store_selector_error(a->q->selector);

	if (!err && given_up)
		err = given_up == -ENOMEM ? diag_errno(diag, ENOMEM, a->dir) :
		      diag_set(diag, -given_up, a->dir,
			       "a regular expression takes too long for some label");
	if (!err && ret)
		*ret = a->coverage;
	query_walk_release(a);
	return err;
}
