// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a profile's tree and facts as JSON for the page. See data.h; flame.c
 * calls it.
 */
#include "show/flame/data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/flame/pack.h"
#include "profile/imagemaps.h"
#include "show/report/reasons.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/strings.h"

#include "util/poison.h"

/**
 * struct numbers - numbers of symbols in the page
 * @order: symbols of the tree, in the order of the page
 * @of: by symbol of the tree, its number in the page
 * @nodes: by symbol of the tree, the number of its nodes
 */
struct numbers {
	uint32_t *order;
	uint32_t *of;
	uint32_t *nodes;
};

static void release_numbers(struct numbers *n)
{
	free(n->order);
	free(n->of);
	free(n->nodes);
}

static void release_pack(struct pack *p)
{
	free(p->text);
}

static int by_nodes(const void *a, const void *b, void *arg)
{
	const struct numbers *n = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (n->nodes[x] != n->nodes[y])
		return n->nodes[x] > n->nodes[y] ? -1 : 1;
	return (x > y) - (x < y);
}

static int number_symbols(const struct calltree *t, struct numbers *n)
{
	uint32_t i;

	n->order = calloc(t->nr_symbols, sizeof(*n->order));
	n->of = calloc(t->nr_symbols, sizeof(*n->of));
	n->nodes = calloc(t->nr_symbols, sizeof(*n->nodes));
	if (!n->order || !n->of || !n->nodes)
		return -ENOMEM;
	for (i = 0; i < t->nr_symbols; i++)
		n->order[i] = i;
	for (i = 0; i < t->nr_nodes; i++)
		n->nodes[t->nodes[i].symbol]++;
	qsort_r(n->order, t->nr_symbols, sizeof(*n->order), by_nodes, n);
	for (i = 0; i < t->nr_symbols; i++)
		n->of[n->order[i]] = i;
	return 0;
}

static int pack_string(struct pack *p, struct strings *strings, const char *s)
{
	uint32_t n;
	int err = strings_add(strings, s, strlen(s), &n);

	return err ? err : pack_number(p, n) ? 0 : -ENOMEM;
}

static int put_symbols(struct json *j, const struct calltree *t, const struct numbers *n,
		       struct strings *strings)
{
	_cleanup_(release_pack) struct pack p = { 0 };
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < t->nr_symbols; i++) {
		const struct calltree_symbol *s = &t->symbols[n->order[i]];

		err = pack_string(&p, strings, s->name);
		if (!err)
			err = pack_string(&p, strings, s->file);
		if (!err)
			err = pack_string(&p, strings, s->image);
		if (!err && (!pack_number(&p, s->line) || !pack_number(&p, s->kind)))
			err = -ENOMEM;
	}
	if (!err && !pack_end(&p))
		err = -ENOMEM;
	if (err)
		return err;
	json_u64(j, "nr_symbols", t->nr_symbols);
	json_string(j, "symbols", p.text);
	return 0;
}

static void put_strings(struct json *j, const struct strings *strings)
{
	uint32_t i;

	json_array(j, "strings");
	for (i = 0; i < strings->nr; i++)
		json_string(j, NULL, strings->entries[i].s);
	json_array_end(j);
}

/* Return: the greatest common divisor of one profile's values. */
static uint64_t scale_of(const struct calltree *t, unsigned int which)
{
	uint64_t scale = 0, a, b, rest;
	uint32_t i;

	for (i = 0; i < t->nr_nodes && scale != 1; i++) {
		a = (uint64_t)t->nodes[i].self[which];
		for (b = scale; b; b = rest) {
			rest = a % b;
			a = b;
		}
		scale = a;
	}
	return scale ? scale : 1;
}

/*
 * Return: the next node in the order callers, first callee, and so on; 0 at the
 * end. @up: how many levels it is above a child of @node.
 */
static uint32_t next_node(const struct calltree *t, uint32_t node, uint32_t *up)
{
	*up = 0;
	if (t->nodes[node].first_child)
		return t->nodes[node].first_child;
	for (; node; node = t->nodes[node].parent) {
		++*up;
		if (t->nodes[node].next)
			return t->nodes[node].next;
	}
	return 0;
}

static int put_nodes(struct json *j, const struct calltree *t, const struct numbers *n,
		     unsigned int nr_values)
{
	const uint64_t scale[2] = { scale_of(t, 0), scale_of(t, 1) };
	_cleanup_(release_pack) struct pack p = { 0 };
	uint32_t node = 0, up;
	unsigned int k;

	while ((node = next_node(t, node, &up))) {
		const struct calltree_node *at = &t->nodes[node];

		if (!pack_number(&p, up) || !pack_number(&p, n->of[at->symbol]))
			return -ENOMEM;
		for (k = 0; k < nr_values; k++)
			if (!pack_number(&p, (uint64_t)at->self[k] / scale[k]))
				return -ENOMEM;
	}
	if (!pack_end(&p))
		return -ENOMEM;
	json_array(j, "scale");
	for (k = 0; k < nr_values; k++)
		json_u64(j, NULL, scale[k]);
	json_array_end(j);
	json_array(j, "root_self");
	for (k = 0; k < nr_values; k++)
		json_u64(j, NULL, (uint64_t)t->nodes[0].self[k] / scale[k]);
	json_array_end(j);
	json_u64(j, "nr_nodes", t->nr_nodes - 1);
	json_string(j, "nodes", p.text);
	return 0;
}

static void put_reasons(struct json *j, const struct profile *p, uint32_t value,
			const struct flame_options *o)
{
	struct report_reason reasons[REPORT_MAX_REASONS];
	unsigned int nr, i;
	int64_t all;

	nr = report_reasons(p, value, o->keep, o->arg, reasons, &all);
	json_u64(j, "all", (uint64_t)all);
	json_array(j, "reasons");
	for (i = 0; i < nr; i++) {
		json_array(j, NULL);
		json_string(j, NULL, reasons[i].name);
		json_u64(j, NULL, (uint64_t)reasons[i].value);
		json_array_end(j);
	}
	json_array_end(j);
}

static void put_recorded(struct json *j, const char *name, const struct profile *p,
			 uint32_t value, const struct flame_options *o)
{
	uint32_t i, samples = 0;

	json_object(j, name);
	json_array(j, "comments");
	for (i = 0; i < p->nr_comments; i++)
		if (!profile_is_imagemap(p, i))
			json_string(j, NULL, profile_text(p, p->comments[i]));
	json_array_end(j);
	json_u64(j, "seconds", p->time_ns / 1000000000);
	json_u64(j, "duration_ns", p->duration_ns);
	json_u64(j, "period", p->period > 0 ? (uint64_t)p->period : 0);
	json_string(j, "period_type", profile_text(p, p->period_type.type));
	json_string(j, "period_unit", profile_text(p, p->period_type.unit));
	for (i = 0; i < p->nr_samples; i++)
		if (p->samples[i].value[value] &&
		    (!o->keep || o->keep(p, &p->samples[i], o->arg)))
			samples++;
	json_u64(j, "stacks", samples);
	put_reasons(j, p, value, o);
	json_object_end(j);
}

static int put_tree(struct json *j, const struct calltree *t, unsigned int nr_values)
{
	_cleanup_(release_numbers) struct numbers n = { 0 };
	struct strings strings;
	int err = number_symbols(t, &n);

	if (err)
		return err;
	err = strings_init(&strings);
	if (!err)
		err = put_symbols(j, t, &n, &strings);
	if (!err)
		put_strings(j, &strings);
	strings_release(&strings);
	return err ? err : put_nodes(j, t, &n, nr_values);
}

int flame_data(const struct profile *p, const struct profile *before,
	       const struct flame_options *o, const struct calltree *t, FILE *out)
{
	const struct profile_value_type *v = &p->value_types[o->value[0]];
	struct json j;
	int err = 0;

	json_init(&j, out);
	json_object(&j, NULL);
	json_u64(&j, "version", 1);
	json_string(&j, "title", o->title);
	json_bool(&j, "callers", o->callers);
	json_object(&j, "value");
	json_string(&j, "type", profile_text(p, v->type));
	json_string(&j, "unit", profile_text(p, v->unit));
	json_object_end(&j);
	put_recorded(&j, "recorded", p, o->value[0], o);
	if (before)
		put_recorded(&j, "before", before, o->value[1], o);
	else
		json_null(&j, "before");
	if (!o->code)
		json_null(&j, "code");
	else
		err = o->code(&j, "code", o->code_arg);
	if (!err)
		err = put_tree(&j, t, before ? 2 : 1);
	json_object_end(&j);
	return err;
}
