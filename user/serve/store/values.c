// SPDX-License-Identifier: GPL-2.0-only
/* store_values(): lists the texts of a label, or the keys of all labels, with counts of samples. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/store/groups.h"

#include "util/poison.h"

/* Return: how many samples @s stands for: its value of type "samples", or 1 if there is none. */
static int64_t count_of(const struct profile *p, const struct store_samples *w,
			const struct profile_sample *s)
{
	uint32_t i;

	for (i = 0; i < w->nr_value_types; i++)
		if (!strcmp(profile_text(p, w->value_types[i].type), "samples") &&
		    !strcmp(profile_text(p, w->value_types[i].unit), "count"))
			return s->value[i] > 0 ? s->value[i] : 0;
	return 1;
}

/* Counts every key of a label set once; equal keys are neighbours. */
static int count_keys(struct groups *g, const struct profile *p, uint32_t labels, int64_t count)
{
	const struct profile_labels *set = &p->labels[labels];
	uint32_t i, group;
	int err;

	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (i && l[-1].key == l->key)
			continue;
		err = groups_add(g, profile_text(p, l->key), &group);
		if (err)
			return err;
		groups_count(g, group, count);
	}
	return 0;
}

static int add_window(struct query_walk *a, struct groups *g)
{
	const struct store_samples *w = &a->walk.samples;
	const struct profile *p = a->walk.open->defs;
	uint32_t i, group;
	int err = 0;

	if (a->fresh)
		query_walk_forget(&g->of);
	for (i = 0; i < w->nr_samples && !err; i++) {
		int64_t count = count_of(p, w, &w->samples[i]);

		if (!query_walk_selects(a, &w->samples[i]))
			continue;
		if (!g->label) {
			err = count_keys(g, p, w->samples[i].labels, count);
			continue;
		}
		err = groups_find(g, a, w->samples[i].labels, &group);
		if (!err)
			groups_count(g, group, count);
	}
	return err;
}

static int hand_out(const struct groups *g,
		    int (*take)(const char *text, uint64_t samples, void *arg), void *arg)
{
	uint32_t *order = groups_order(g, false), i;
	int err = order ? 0 : -ENOMEM;

	/* the empty text comes first: samples without the label */
	for (i = 1; !err && i < g->texts.nr; i++)
		if (g->sum[order[i]])
			err = take(g->texts.entries[order[i]].s, (uint64_t)g->sum[order[i]], arg);
	free(order);
	return err;
}

int store_values(const char *dir, const struct store_query *query, const char *label,
		 int (*take)(const char *text, uint64_t samples, void *arg), void *arg,
		 struct store_coverage *ret, struct diag *diag)
{
	struct groups g;
	struct query_walk a;
	int err = query_walk_init(&a, dir, query, diag), n = 1;

	if (groups_init(&g, label))
		err = diag_errno(diag, ENOMEM, dir);
	while (!err && (n = query_walk_next(&a, diag)) > 0) {
		err = add_window(&a, &g);
		if (err)
			diag_errno(diag, -err, dir);
	}
	err = query_walk_end(&a, err ? err : n, ret, diag);
	if (!err)
		err = hand_out(&g, take, arg);
	if (err == -ENOMEM)
		diag_errno(diag, ENOMEM, dir);
	groups_release(&g);
	return err;
}
