// SPDX-License-Identifier: GPL-2.0-only
/*
 * calltree_callers() of calltree.h: adds the path from each call of a function
 * to the root, with the value that belongs to this call alone.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/calltree_index.h"
#include "util/cleanup.h"
#include "util/sum.h"

#include "util/poison.h"

/**
 * struct callers - builds the tree of callers
 * @t: the tree
 * @to: the new tree
 * @symbol: index of the function in @t
 * @number: by symbol of @t, its index in @to plus 1; 0 until it is met
 * @own: by node of @t, for nodes of the function: totals without those of its
 *	inner calls
 * @own_counts: the same for the tree's counts, if it has them
 */
struct callers {
	const struct calltree *t;
	struct calltree *to;
	uint32_t symbol;
	uint32_t *number;
	struct calltree_count *own;
	struct calltree_count *own_counts;
};

static void subtract(int64_t from[2], const int64_t what[2])
{
	from[0] -= what[0];
	from[1] -= what[1];
}

static uint32_t function_above(const struct callers *c, uint32_t node)
{
	do
		node = c->t->nodes[node].parent;
	while (node && c->t->nodes[node].symbol != c->symbol);
	return node;
}

/*
 * In a recursion an inner call's total belongs to the inner call, not to the
 * one above it.
 */
static void find_own(struct callers *c)
{
	const struct calltree *t = c->t;
	uint32_t i, above;

	for (i = 1; i < t->nr_nodes; i++) {
		if (t->nodes[i].symbol != c->symbol)
			continue;
		memcpy(c->own[i].total, t->nodes[i].total, sizeof(c->own[i].total));
		if (t->counts)
			c->own_counts[i] = t->counts[i];
		above = function_above(c, i);
		if (!above)
			continue;
		subtract(c->own[above].total, t->nodes[i].total);
		if (t->counts)
			subtract(c->own_counts[above].total, t->counts[i].total);
	}
}

static int add_node(struct callers *c, uint32_t node)
{
	uint32_t at = 0, symbol, k;
	uint32_t from = node;
	int err = 0;

	for (; !err && node; node = c->t->nodes[node].parent) {
		symbol = c->t->nodes[node].symbol;
		if (!c->number[symbol]) {
			err = calltree_symbol_add(c->to, &c->t->symbols[symbol],
						  &c->number[symbol]);
			c->number[symbol]++;
		}
		if (!err)
			err = calltree_child(c->to, at, c->number[symbol] - 1, &at);
	}
	for (k = 0; !err && k < 2; k++) {
		c->to->nodes[at].self[k] =
			sum_i64(c->to->nodes[at].self[k], c->own[from].total[k]);
		if (c->to->counts)
			c->to->counts[at].self[k] = sum_i64(c->to->counts[at].self[k],
							    c->own_counts[from].total[k]);
	}
	return err;
}

static int build(struct callers *c)
{
	const struct calltree *t = c->t;
	uint32_t i;
	int err = 0;

	find_own(c);
	for (i = 1; !err && i < t->nr_nodes; i++)
		if (t->nodes[i].symbol == c->symbol && (c->own[i].total[0] || c->own[i].total[1]))
			err = add_node(c, i);
	return err ? err : calltree_finish(c->to);
}

int calltree_callers(const struct calltree *t, uint32_t symbol, struct calltree **ret)
{
	_cleanup_(cleanup_free) uint32_t *number = calloc(t->nr_symbols, sizeof(*number));
	_cleanup_(cleanup_free) struct calltree_count *own = calloc(t->nr_nodes, sizeof(*own));
	_cleanup_(cleanup_free) struct calltree_count *counts =
		t->counts ? calloc(t->nr_nodes, sizeof(*counts)) : NULL;
	struct callers c = { .t = t, .symbol = symbol, .number = number, .own = own,
			     .own_counts = counts };
	int err;

	if (!number || !own || (t->counts && !counts))
		return -ENOMEM;
	err = calltree_begin(t->counts, &c.to);
	if (err)
		return err;
	c.to->index->inverted = true;
	err = build(&c);
	if (err)
		calltree_free(c.to);
	else
		*ret = c.to;
	return err;
}
