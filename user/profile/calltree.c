// SPDX-License-Identifier: GPL-2.0-only
/*
 * Builds the call tree from the samples of one or two profiles, sums the values
 * up and sorts children. See calltree.h.
 */
#include "profile/calltree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/calltree_index.h"
#include "profile/whole.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/sum.h"

#include "util/poison.h"

/* Marks an entry that has not been computed; the others are stored plus 1. */
#define UNSET 0

/**
 * struct builder - adds one profile to the tree
 * @t: the tree
 * @o: options
 * @p: the profile
 * @which: 0, or 1 for the second profile
 * @first: for each location, index in @frames plus 1; UNSET until it is met
 * @frames: symbols of locations, innermost first
 * @base: for each set of labels, node below which its stacks are added, plus 1
 * @end: for each set of labels, symbol for why its stacks end, plus 1; UNSET if
 *	there is none
 * @path: symbols of the sample that is being added, innermost first
 */
struct builder {
	struct calltree *t;
	const struct calltree_options *o;
	const struct profile *p;
	unsigned int which;
	uint32_t *first;
	uint32_t *frames;
	size_t nr_frames;
	size_t frames_room;
	uint32_t *base;
	uint32_t *end;
	uint32_t *path;
	size_t nr_path;
	size_t path_room;
};

int calltree_child(struct calltree *t, uint32_t parent, uint32_t symbol, uint32_t *ret)
{
	const uint64_t key = (uint64_t)parent << 32 | symbol;
	struct intern *index = &t->index->nodes;
	uint64_t hash = intern_words(index, &key, 1);
	struct intern_probe at;

	for (at = intern_probe(index, hash); (*ret = intern_next(index, &at));)
		if (t->nodes[*ret].parent == parent && t->nodes[*ret].symbol == symbol)
			return 0;
	if (t->nr_nodes == CALLTREE_MAX_NODES)
		return -E2BIG;
	if (!array_has_room(t->nodes, t->nr_nodes, t->index->nodes_room) || !intern_room(index))
		return -ENOMEM;
	if (t->index->counts &&
	    !array_has_room(t->counts, t->nr_nodes, t->index->counts_room))
		return -ENOMEM;
	*ret = t->nr_nodes++;
	if (t->index->counts)
		t->counts[*ret] = (struct calltree_count){ .self = { 0 } };
	t->nodes[*ret] = (struct calltree_node){ .symbol = symbol, .parent = parent };
	intern_put(index, hash, *ret);
	return 0;
}

static int label_symbol(struct calltree *t, const char *text, uint32_t *ret)
{
	const struct calltree_symbol s = { .name = text, .file = "", .image = "",
					   .kind = CALLTREE_LABEL };

	return calltree_symbol_add(t, &s, ret);
}

/*
 * Return: text of label @key, printed to @number if it is a number; NULL if the
 * set lacks it.
 */
static const char *label_text(const struct profile *p, uint32_t labels, const char *key,
			      char number[32])
{
	const struct profile_labels *set = &p->labels[labels];
	uint32_t i;

	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (strcmp(profile_text(p, l->key), key))
			continue;
		if (l->str)
			return profile_text(p, l->str);
		snprintf(number, 32, "%" PRId64, l->num);
		return number;
	}
	return NULL;
}

/*
 * Finds the nodes for a set of labels, and the symbol for why its stacks end.
 */
static int set_base(struct builder *b, uint32_t labels)
{
	const char *const *key, *text;
	uint32_t node = 0, symbol;
	char number[32], end[300];
	int err = 0;

	for (key = b->o->roots; !err && key && *key; key++) {
		text = label_text(b->p, labels, *key, number);
		if (!text)
			continue;
		err = label_symbol(b->t, text, &symbol);
		if (!err)
			err = calltree_child(b->t, node, symbol, &node);
	}
	text = b->o->ends ? profile_label_text(b->p, labels, PROFILE_LABEL_STACK) : NULL;
	if (!err && text && profile_stack_is_short(text)) {
		snprintf(end, sizeof(end), "[%.256s]", text);
		err = label_symbol(b->t, end, &symbol);
		b->end[labels] = symbol + 1;
	}
	b->base[labels] = node + 1;
	return err;
}

/* Finds the symbols of a location. */
static int set_frames(struct builder *b, uint32_t location)
{
	const struct profile_location *l = &b->p->locations[location];
	uint32_t i = b->o->no_inlines && l->nr_lines ? l->nr_lines - 1 : 0;
	size_t first = b->nr_frames;
	int err;

	do {
		if (!array_has_room(b->frames, b->nr_frames, b->frames_room))
			return -ENOMEM;
		err = calltree_symbol_at(b->t, b->o, b->p, location, i, &b->frames[b->nr_frames]);
		if (err)
			return err;
		b->nr_frames++;
	} while (++i < l->nr_lines);
	if (b->nr_frames >= UINT32_MAX)
		return -E2BIG;
	b->first[location] = (uint32_t)first + 1;
	return 0;
}

static int push(struct builder *b, uint32_t symbol)
{
	/* a path has at most one new node for each of its symbols */
	if (b->nr_path == CALLTREE_MAX_NODES)
		return -E2BIG;
	if (!array_has_room(b->path, b->nr_path, b->path_room))
		return -ENOMEM;
	b->path[b->nr_path++] = symbol;
	return 0;
}

/* Finds the symbols of a stack and of its end, innermost first. */
static int find_path(struct builder *b, const struct profile_sample *s)
{
	uint32_t stack, i, nr;
	int err = 0;

	b->nr_path = 0;
	for (stack = s->stack; !err && stack; stack = b->p->stacks[stack].parent) {
		uint32_t location = b->p->stacks[stack].location;

		if (b->first[location] == UNSET) {
			err = set_frames(b, location);
			if (err)
				return err;
		}
		nr = b->p->locations[location].nr_lines;
		nr = b->o->no_inlines || !nr ? 1 : nr;
		for (i = 0; !err && i < nr; i++)
			err = push(b, b->frames[b->first[location] - 1 + i]);
	}
	if (!err && b->end[s->labels] != UNSET)
		err = push(b, b->end[s->labels] - 1);
	return err;
}

static void add_value(struct builder *b, const struct profile_sample *s, uint32_t node)
{
	unsigned int k = b->which;
	int64_t *self = &b->t->nodes[node].self[k];

	*self = sum_i64(*self, s->value[b->o->value[k]]);
	if (!b->t->counts)
		return;
	self = &b->t->counts[node].self[k];
	*self = sum_i64(*self, s->value[b->o->count[k]]);
}

static int add_sample(struct builder *b, const struct profile_sample *s)
{
	uint32_t node;
	size_t i;
	int err = 0;

	if (b->base[s->labels] == UNSET)
		err = set_base(b, s->labels);
	if (!err)
		err = find_path(b, s);
	if (err)
		return err;
	node = b->base[s->labels] - 1;
	for (i = 0; !err && i < b->nr_path; i++)
		err = calltree_child(b->t, node, b->path[b->o->inverted ? i : b->nr_path - 1 - i], &node);
	if (!err)
		add_value(b, s, node);
	return err;
}

static int add_profile(struct calltree *t, const struct calltree_options *o,
		       const struct profile *p, unsigned int which)
{
	struct builder b = { .t = t, .o = o, .p = p, .which = which };
	uint32_t i;
	int err = 0;

	b.first = calloc(p->nr_locations, sizeof(*b.first));
	b.base = calloc(p->nr_labels, sizeof(*b.base));
	b.end = calloc(p->nr_labels, sizeof(*b.end));
	if (!b.first || !b.base || !b.end)
		err = -ENOMEM;
	for (i = 0; !err && i < p->nr_samples; i++) {
		const struct profile_sample *s = &p->samples[i];

		if (s->value[o->value[which]] && (!o->keep || o->keep(p, s, o->arg)))
			err = add_sample(&b, s);
	}
	free(b.first);
	free(b.frames);
	free(b.base);
	free(b.end);
	free(b.path);
	return err;
}

static void add_up(struct calltree *t)
{
	uint32_t i, k;

	for (i = t->nr_nodes; i--;) {
		struct calltree_node *n = &t->nodes[i], *parent = &t->nodes[n->parent];
		struct calltree_count *c = t->counts ? &t->counts[i] : NULL;

		for (k = 0; k < 2; k++) {
			n->total[k] = sum_i64(n->total[k], n->self[k]);
			if (i)
				parent->total[k] = sum_i64(parent->total[k], n->total[k]);
			if (c)
				c->total[k] = sum_i64(c->total[k], c->self[k]);
			if (c && i)
				t->counts[n->parent].total[k] = sum_i64(
					t->counts[n->parent].total[k], c->total[k]);
		}
	}
}

/* How siblings are sorted. */
struct order {
	const struct calltree *t;
	const int64_t *weight;	/* by node; NULL: sort by the sum of both totals */
};

static int64_t weight_of(const struct order *o, uint32_t node)
{
	const struct calltree_node *n = &o->t->nodes[node];

	return o->weight ? o->weight[node] : sum_i64(n->total[0], n->total[1]);
}

static int by_weight(const void *x, const void *y, void *arg)
{
	const struct order *o = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int64_t wa = weight_of(o, a), wb = weight_of(o, b);

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return calltree_symbol_order(&o->t->symbols[o->t->nodes[a].symbol],
				     &o->t->symbols[o->t->nodes[b].symbol]);
}

/*
 * Sorts nodes by parent into @order. @end: for each node, index in @order after
 * its children, which is also where those of the next node begin. The root has
 * no parent.
 */
static void group_by_parent(const struct calltree *t, uint32_t *order, uint32_t *end)
{
	uint32_t i, sum = 0, nr;

	for (i = 1; i < t->nr_nodes; i++)
		end[t->nodes[i].parent]++;
	for (i = 0; i < t->nr_nodes; i++) {
		nr = end[i];
		end[i] = sum;
		sum += nr;
	}
	for (i = 1; i < t->nr_nodes; i++)
		order[end[t->nodes[i].parent]++] = i;
}

/* Links the children of each node in their order. Most nodes have one child. */
static int link_children(struct calltree *t, const int64_t *weight)
{
	_cleanup_(cleanup_free) uint32_t *order = calloc(t->nr_nodes, sizeof(*order));
	_cleanup_(cleanup_free) uint32_t *end = calloc(t->nr_nodes, sizeof(*end));
	struct order by = { t, weight };
	uint32_t i, k, begin = 0;

	if (!order || !end)
		return -ENOMEM;
	group_by_parent(t, order, end);
	for (i = 0; i < t->nr_nodes; begin = end[i++]) {
		if (end[i] - begin > 1)
			qsort_r(order + begin, end[i] - begin, sizeof(*order), by_weight, &by);
		t->nodes[i].first_child = end[i] > begin ? order[begin] : 0;
		for (k = begin; k < end[i]; k++)
			t->nodes[order[k]].next = k + 1 < end[i] ? order[k + 1] : 0;
	}
	return 0;
}

int calltree_finish(struct calltree *t)
{
	add_up(t);
	return link_children(t, NULL);
}

int calltree_order(struct calltree *t,
		   int64_t (*weight)(const struct calltree *t, uint32_t node, void *arg),
		   void *arg)
{
	_cleanup_(cleanup_free) int64_t *weights = calloc(t->nr_nodes, sizeof(*weights));
	uint32_t i;

	if (!weights)
		return -ENOMEM;
	for (i = 0; i < t->nr_nodes; i++)
		weights[i] = weight(t, i, arg);
	return link_children(t, weights);
}

static int begin(struct calltree *t)
{
	uint32_t root;
	int err;

	intern_init(&t->index->symbols);
	intern_init(&t->index->nodes);
	err = strings_init(&t->index->strings);
	if (err)
		return err;
	if (!array_has_room(t->nodes, t->nr_nodes, t->index->nodes_room) ||
	    (t->index->counts && !array_has_room(t->counts, t->nr_nodes, t->index->counts_room)))
		return -ENOMEM;
	err = label_symbol(t, "all", &root);
	if (t->counts)
		t->counts[0] = (struct calltree_count){ .self = { 0 } };
	t->nodes[t->nr_nodes++] = (struct calltree_node){ .symbol = root };
	return err;
}

int calltree_begin(bool counts, struct calltree **ret)
{
	struct calltree *t = calloc(1, sizeof(*t));
	int err = -ENOMEM;

	if (!t)
		return err;
	t->index = calloc(1, sizeof(*t->index));
	if (t->index) {
		t->index->counts = counts;
		err = begin(t);
	}
	if (err)
		calltree_free(t);
	else
		*ret = t;
	return err;
}

int calltree_new(const struct profile *p, const struct profile *second,
		 const struct calltree_options *options, struct calltree **ret)
{
	const struct calltree_options *o = options;
	struct calltree *t;
	unsigned int k;
	int err;

	for (k = 0; k < 2; k++)
		if (o->value[k] >= PROFILE_MAX_VALUES || o->count[k] >= PROFILE_MAX_VALUES)
			return -EINVAL;
	err = calltree_begin(o->counts, &t);
	if (err)
		return err;
	t->index->inverted = o->inverted;
	err = add_profile(t, o, p, 0);
	if (!err && second)
		err = add_profile(t, o, second, 1);
	if (!err)
		err = calltree_finish(t);
	if (err)
		calltree_free(t);
	else
		*ret = t;
	return err;
}

void calltree_free(struct calltree *t)
{
	if (!t)
		return;
	if (t->index) {
		strings_release(&t->index->strings);
		intern_release(&t->index->symbols);
		intern_release(&t->index->nodes);
	}
	free(t->index);
	free(t->nodes);
	free(t->counts);
	free(t->symbols);
	free(t);
}
