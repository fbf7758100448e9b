// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups samples by the text of a label and adds up a value for each group. series.c, values.c and
 * queries to ClickHouse use it.
 */
#include "serve/store/groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/store/selector.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/sum.h"

#include "util/poison.h"

int groups_init(struct groups *g, const char *label)
{
	uint32_t none;
	int err;

	*g = (struct groups){ .label = label };
	err = strings_init(&g->texts);
	return err ? err : groups_add(g, "", &none);
}

void groups_release(struct groups *g)
{
	strings_release(&g->texts);
	free(g->of.of);
	free(g->sum);
}

int groups_add(struct groups *g, const char *text, uint32_t *ret)
{
	int err = strings_add(&g->texts, text, strlen(text), ret);
	size_t room = g->room ? g->room : ARRAY_FIRST_ROOM;
	int64_t *sum;

	if (err || *ret < g->room)
		return err;
	while (room <= *ret)
		room *= 2;
	sum = reallocarray(g->sum, room, sizeof(*sum));
	if (!sum)
		return -ENOMEM;
	memset(sum + g->room, 0, (room - g->room) * sizeof(*sum));
	g->sum = sum;
	g->room = room;
	return 0;
}

int groups_find(struct groups *g, struct query_walk *a, uint32_t labels, uint32_t *ret)
{
	char number[STORE_NUMBER_TEXT];
	const char *text;
	uint32_t *known;
	int err;

	*ret = 0;
	if (!g->label)
		return 0;
	known = query_walk_memo(a, &g->of, labels);
	if (!known)
		return -ENOMEM;
	if (*known) {
		*ret = *known - 1;
		return 0;
	}
	text = store_labels_text(a->walk.open->defs, labels, g->label, number);
	err = groups_add(g, text ? text : "", ret);
	if (!err)
		*known = *ret + 1;
	return err;
}

void groups_count(struct groups *g, uint32_t group, int64_t value)
{
	g->sum[group] = sum_i64(g->sum[group], value);
}

static int by_text(const void *x, const void *y, void *arg)
{
	const struct groups *g = arg;

	return strcmp(g->texts.entries[*(const uint32_t *)x].s,
		      g->texts.entries[*(const uint32_t *)y].s);
}

static int by_sum(const void *x, const void *y, void *arg)
{
	const struct groups *g = arg;
	int64_t a = g->sum[*(const uint32_t *)x], b = g->sum[*(const uint32_t *)y];

	if (a != b)
		return a > b ? -1 : 1;
	return by_text(x, y, arg);
}

uint32_t *groups_order(const struct groups *g, bool sums)
{
	uint32_t *order = reallocarray(NULL, g->texts.nr, sizeof(*order)), i;

	for (i = 0; order && i < g->texts.nr; i++)
		order[i] = i;
	if (order)
		qsort_r(order, g->texts.nr, sizeof(*order), sums ? by_sum : by_text, (void *)g);
	return order;
}

uint32_t *groups_ranks(const struct groups *g)
{
	_cleanup_(cleanup_free) uint32_t *order = groups_order(g, true);
	uint32_t *ranks = reallocarray(NULL, g->texts.nr, sizeof(*ranks)), i;

	if (!order) {
		free(ranks);
		return NULL;
	}
	for (i = 0; ranks && i < g->texts.nr; i++)
		ranks[order[i]] = i;
	return ranks;
}
