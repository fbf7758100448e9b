// SPDX-License-Identifier: GPL-2.0-only
/*
 * calltree_flat() of calltree.h: one row for each symbol, in one walk through
 * the tree.
 */
#include <errno.h>
#include <stdlib.h>

#include "profile/calltree_index.h"
#include "util/cleanup.h"
#include "util/sum.h"

#include "util/poison.h"

static void add(int64_t to[2], const int64_t from[2])
{
	to[0] = sum_i64(to[0], from[0]);
	to[1] = sum_i64(to[1], from[1]);
}

/**
 * struct walk - the position in the tree
 * @t: the tree
 * @flat: rows by symbol
 * @on_path: by symbol, number of its nodes on the path to here
 * @frames: number of nodes on the path that are frames
 */
struct walk {
	const struct calltree *t;
	struct calltree_flat *flat;
	uint32_t *on_path;
	uint32_t frames;
};

static bool is_frame(const struct calltree *t, const struct calltree_node *n)
{
	return t->symbols[n->symbol].kind != CALLTREE_LABEL;
}

/* The value of a node that counts as @self of its symbol. */
enum own { OWN_NOTHING, OWN_SELF, OWN_TOTAL };

static enum own own_of(const struct walk *w, const struct calltree_node *n)
{
	/*
	 * In an inverted tree the first frame on the path is the innermost.
	 * Samples that end at a label have no frame, unless there is one above
	 * it.
	 */
	if (!w->t->index->inverted)
		return OWN_SELF;
	if (w->frames)
		return OWN_NOTHING;
	return is_frame(w->t, n) ? OWN_TOTAL : OWN_SELF;
}

static void enter(struct walk *w, const struct calltree_node *n)
{
	const struct calltree_count *c = w->t->counts ? &w->t->counts[n - w->t->nodes] : NULL;
	struct calltree_flat *f = &w->flat[n->symbol];
	enum own own = own_of(w, n);
	bool first = !w->on_path[n->symbol]++;

	if (first)
		add(f->total, n->total);
	if (own)
		add(f->self, own == OWN_TOTAL ? n->total : n->self);
	if (first && c)
		add(f->count.total, c->total);
	if (own && c)
		add(f->count.self, own == OWN_TOTAL ? c->total : c->self);
	w->frames += is_frame(w->t, n);
}

static void leave(struct walk *w, const struct calltree_node *n)
{
	w->on_path[n->symbol]--;
	w->frames -= is_frame(w->t, n);
}

/* Visits all nodes below the root. */
static void walk(struct walk *w)
{
	const struct calltree_node *nodes = w->t->nodes;
	uint32_t at = nodes[0].first_child;

	while (at) {
		enter(w, &nodes[at]);
		if (nodes[at].first_child) {
			at = nodes[at].first_child;
			continue;
		}
		leave(w, &nodes[at]);
		while (at && !nodes[at].next) {
			at = nodes[at].parent;
			if (at)
				leave(w, &nodes[at]);
		}
		at = nodes[at].next;
	}
}

struct order {
	const struct calltree *t;
	bool by_total;
};

static int by_value(const void *x, const void *y, void *arg)
{
	const struct calltree_flat *a = x, *b = y;
	const struct order *o = arg;
	int64_t sum_a = o->by_total ? sum_i64(a->total[0], a->total[1]) :
				      sum_i64(a->self[0], a->self[1]);
	int64_t sum_b = o->by_total ? sum_i64(b->total[0], b->total[1]) :
				      sum_i64(b->self[0], b->self[1]);

	if (sum_a != sum_b)
		return sum_a > sum_b ? -1 : 1;
	return calltree_symbol_order(&o->t->symbols[a->symbol], &o->t->symbols[b->symbol]);
}

int calltree_flat(const struct calltree *t, bool by_total, struct calltree_flat **ret,
		  uint32_t *nr)
{
	_cleanup_(cleanup_free) uint32_t *on_path = NULL;
	struct order order = { t, by_total };
	struct calltree_flat *flat;
	uint32_t i;

	flat = calloc(t->nr_symbols, sizeof(*flat));
	on_path = calloc(t->nr_symbols, sizeof(*on_path));
	if (!flat || !on_path) {
		free(flat);
		return -ENOMEM;
	}
	for (i = 0; i < t->nr_symbols; i++)
		flat[i].symbol = i;
	walk(&(struct walk){ .t = t, .flat = flat, .on_path = on_path });
	*nr = t->nr_symbols;
	/*
	 * row 0 is the root's symbol; a label may have the same text and use it
	 * too
	 */
	if (!flat[0].total[0] && !flat[0].total[1])
		flat[0] = flat[--*nr];
	qsort_r(flat, *nr, sizeof(*flat), by_value, &order);
	*ret = flat;
	return 0;
}
