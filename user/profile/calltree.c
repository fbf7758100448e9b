// SPDX-License-Identifier: GPL-2.0
#include "profile/calltree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/calltree_index.h"
#include "util/array.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* What has not been looked at. The root is nobody's child. */
#define UNSET 0

/**
 * struct builder - one profile on its way into the tree
 * @which: 0 or 1, for the second
 * @first: of each location: index in @frames and 1, UNSET until it is met
 * @frames: symbols of locations, innermost first
 * @base: of each set of labels: node that its stacks hang below, and 1
 * @end: of each set of labels: symbol of why its stacks end, and 1; UNSET if it does not
 *       say so
 * @path: of the sample that is being added, outermost first
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

/* The child of @parent with this symbol. */
static int child(struct calltree *t, uint32_t parent, uint32_t symbol, uint32_t *ret)
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
	*ret = t->nr_nodes++;
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

/* The text of label @key, in @number if it is one; NULL if the set lacks it. */
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

/* Nodes of a set of labels, and why its stacks end. */
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
			err = child(b->t, node, symbol, &node);
	}
	text = b->o->ends ? profile_label_text(b->p, labels, PROFILE_LABEL_STACK) : NULL;
	if (!err && text && strcmp(text, PROFILE_STACK_COMPLETE) && strcmp(text, "kernel")) {
		snprintf(end, sizeof(end), "[%.256s]", text);
		err = label_symbol(b->t, end, &symbol);
		b->end[labels] = symbol + 1;
	}
	b->base[labels] = node + 1;
	return err;
}

/* Symbols of a location. */
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
	/* a path makes as many nodes, or they are there */
	if (b->nr_path == CALLTREE_MAX_NODES)
		return -E2BIG;
	if (!array_has_room(b->path, b->nr_path, b->path_room))
		return -ENOMEM;
	b->path[b->nr_path++] = symbol;
	return 0;
}

/* Symbols of a stack and of its end, innermost first. */
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
		err = child(b->t, node, b->path[b->o->inverted ? i : b->nr_path - 1 - i], &node);
	if (!err)
		b->t->nodes[node].self[b->which] = calltree_sum(b->t->nodes[node].self[b->which],
								s->value[b->o->value[b->which]]);
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

		for (k = 0; k < 2; k++) {
			n->total[k] = calltree_sum(n->total[k], n->self[k]);
			if (i)
				parent->total[k] = calltree_sum(parent->total[k], n->total[k]);
		}
	}
}

static int by_parent(const void *x, const void *y, void *arg)
{
	const struct calltree *t = arg;
	const struct calltree_node *a = &t->nodes[*(const uint32_t *)x];
	const struct calltree_node *b = &t->nodes[*(const uint32_t *)y];
	int64_t sum_a, sum_b;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	sum_a = calltree_sum(a->total[0], a->total[1]);
	sum_b = calltree_sum(b->total[0], b->total[1]);
	if (sum_a != sum_b)
		return sum_a > sum_b ? -1 : 1;
	return calltree_symbol_order(&t->symbols[a->symbol], &t->symbols[b->symbol]);
}

/* Makes the lists of children, in their order. */
static int link_children(struct calltree *t)
{
	_cleanup_(cleanup_free) uint32_t *order = NULL;
	uint32_t i, *nodes;

	order = calloc(t->nr_nodes, sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (i = 0; i < t->nr_nodes; i++)
		order[i] = i;
	/* the root is not among them */
	nodes = order + 1;
	qsort_r(nodes, t->nr_nodes - 1, sizeof(*nodes), by_parent, t);
	for (i = 0; i + 1 < t->nr_nodes; i++) {
		struct calltree_node *n = &t->nodes[nodes[i]];

		if (!i || t->nodes[nodes[i - 1]].parent != n->parent)
			t->nodes[n->parent].first_child = nodes[i];
		else
			t->nodes[nodes[i - 1]].next = nodes[i];
	}
	return 0;
}

static int build(struct calltree *t, const struct profile *p, const struct profile *second,
		 const struct calltree_options *o)
{
	uint32_t root;
	int err;

	t->index->inverted = o->inverted;
	intern_init(&t->index->symbols);
	intern_init(&t->index->nodes);
	err = strings_init(&t->index->strings);
	if (err)
		return err;
	if (!array_has_room(t->nodes, t->nr_nodes, t->index->nodes_room))
		return -ENOMEM;
	err = label_symbol(t, "all", &root);
	t->nodes[t->nr_nodes++] = (struct calltree_node){ .symbol = root };
	if (!err)
		err = add_profile(t, o, p, 0);
	if (!err && second)
		err = add_profile(t, o, second, 1);
	if (err)
		return err;
	add_up(t);
	return link_children(t);
}

int calltree_new(const struct profile *p, const struct profile *second,
		 const struct calltree_options *options, struct calltree **ret)
{
	struct calltree *t;
	int err;

	if (options->value[0] >= PROFILE_MAX_VALUES || options->value[1] >= PROFILE_MAX_VALUES)
		return -EINVAL;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->index = calloc(1, sizeof(*t->index));
	err = t->index ? build(t, p, second, options) : -ENOMEM;
	if (err) {
		calltree_free(t);
		return err;
	}
	*ret = t;
	return 0;
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
	free(t->symbols);
	free(t);
}
