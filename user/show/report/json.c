// SPDX-License-Identifier: GPL-2.0-only
/*
 * A report as JSON; Documentation/man/ustack-report.1 has the schema. See
 * text.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "profile/imagemaps.h"
#include "show/report/text.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

static void put_head(const struct report_view *v, int64_t all, struct json *j)
{
	const struct profile_value_type *type = &v->p->value_types[v->value];
	struct report_reason reason[REPORT_MAX_REASONS];
	unsigned int nr, i;
	int64_t known;

	json_string(j, "file", v->file);
	json_array(j, "comments");
	for (i = 0; i < v->p->nr_comments; i++)
		if (!profile_is_imagemap(v->p, i))
			json_string(j, NULL, profile_text(v->p, v->p->comments[i]));
	json_array_end(j);
	json_u64(j, "time_ns", v->p->time_ns);
	json_u64(j, "duration_ns", v->p->duration_ns);
	json_string(j, "type", profile_text(v->p, type->type));
	json_string(j, "unit", profile_text(v->p, type->unit));
	json_i64(j, "all", all);
	nr = report_view_reasons(v, reason, &known);
	json_object(j, "stacks");
	for (i = 0; i < nr; i++)
		json_i64(j, reason[i].name, reason[i].value);
	json_object_end(j);
}

static void put_left(struct json *j, uint32_t nr, int64_t value)
{
	json_object(j, "left_out");
	json_u64(j, "number", nr);
	json_i64(j, "value", value);
	json_object_end(j);
	json_object_end(j);
	json_end(j);
}

void report_symbol_json(const struct calltree_symbol *s, struct json *j)
{
	static const char *const kinds[] = {
		[CALLTREE_USER] = "user", [CALLTREE_KERNEL] = "kernel",
		[CALLTREE_INLINED] = "inlined", [CALLTREE_JIT] = "jit",
		[CALLTREE_UNKNOWN] = "unknown", [CALLTREE_LABEL] = "label",
	};

	json_string(j, "name", s->name);
	json_string(j, "kind", kinds[s->kind]);
	json_string(j, "image", s->image);
	json_string(j, "file", s->file);
	if (s->line)
		json_u64(j, "line", s->line);
	if (s->address)
		json_u64(j, "address", s->address);
}

int report_flat_json(const struct report_view *v, const struct calltree *t, FILE *out)
{
	_cleanup_(cleanup_free) struct calltree_flat *flat = NULL;
	int64_t all = t->nodes[0].total[0], rest = 0;
	uint32_t nr, i, rows = 0, left = 0;
	struct json j;

	if (calltree_flat(t, v->by_total, &flat, &nr))
		return -ENOMEM;
	json_init(&j, out);
	json_object(&j, NULL);
	put_head(v, all, &j);
	json_array(&j, "functions");
	for (i = 0; i < nr; i++) {
		const struct calltree_flat *f = &flat[i];

		if (t->symbols[f->symbol].kind == CALLTREE_LABEL)
			continue;
		if ((v->rows && rows >= v->rows) ||
		    !report_shows(v, v->by_total ? f->total[0] : f->self[0], all)) {
			rest += f->self[0];
			left++;
			continue;
		}
		rows++;
		json_object(&j, NULL);
		report_symbol_json(&t->symbols[f->symbol], &j);
		json_i64(&j, "self", f->self[0]);
		json_i64(&j, "total", f->total[0]);
		if (v->samples)
			json_i64(&j, "samples", f->count.self[0]);
		json_object_end(&j);
	}
	json_array_end(&j);
	put_left(&j, left, rest);
	return 0;
}

void report_rows_json(const struct report_view *v, const struct report_keys *keys,
		      const struct report_rows *r, FILE *out)
{
	uint32_t i, left = 0;
	int64_t rest = 0;
	unsigned int k;
	struct json j;

	json_init(&j, out);
	json_object(&j, NULL);
	put_head(v, r->all, &j);
	json_array(&j, "rows");
	for (i = 0; i < r->nr; i++) {
		const struct report_row *row = &r->row[i];

		if ((v->rows && i >= v->rows) ||
		    !report_shows(v, v->by_total ? row->total : row->self, r->all)) {
			rest += row->self;
			left++;
			continue;
		}
		json_object(&j, NULL);
		for (k = 0; k < keys->nr; k++)
			json_string(&j, report_key_name(keys->key[k]), row->text[k]);
		json_i64(&j, "self", row->self);
		json_i64(&j, "total", row->total);
		json_object_end(&j);
	}
	json_array_end(&j);
	put_left(&j, left, rest);
}

/**
 * struct tree_json - writes a tree
 * @v: the view
 * @t: the tree
 * @j: the output
 * @number: by node: its index among the nodes that are shown, plus 1; 0 if it
 *	is not shown
 * @symbol: by symbol: its index among those that are shown, plus 1; 0 until it
 *	is met
 * @nr_symbols: number of symbols written
 * @left: number of nodes that are left out although their parent is shown
 * @rest: sum of their values
 */
struct tree_json {
	const struct report_view *v;
	const struct calltree *t;
	struct json j;
	uint32_t *number;
	uint32_t *symbol;
	uint32_t nr_symbols;
	uint32_t left;
	int64_t rest;
};

/*
 * Chooses the nodes to show. A parent has a lower number than its children, so
 * one pass is enough.
 */
static void choose(struct tree_json *s)
{
	const struct calltree *t = s->t;
	uint32_t i, nr = 0;

	for (i = 0; i < t->nr_nodes; i++) {
		const struct calltree_node *n = &t->nodes[i];

		if (i && !s->number[n->parent])
			continue;
		if (!i || report_shows(s->v, n->total[0], t->nodes[0].total[0])) {
			s->number[i] = ++nr;
			continue;
		}
		s->left++;
		s->rest += n->total[0];
	}
}

static void put_symbols(struct tree_json *s)
{
	uint32_t i;

	json_array(&s->j, "symbols");
	for (i = 0; i < s->t->nr_nodes; i++) {
		uint32_t *number = &s->symbol[s->t->nodes[i].symbol];

		if (!s->number[i] || *number)
			continue;
		*number = ++s->nr_symbols;
		json_object(&s->j, NULL);
		report_symbol_json(&s->t->symbols[s->t->nodes[i].symbol], &s->j);
		json_object_end(&s->j);
	}
	json_array_end(&s->j);
}

static void put_nodes(struct tree_json *s)
{
	uint32_t i;

	json_array(&s->j, "nodes");
	for (i = 0; i < s->t->nr_nodes; i++) {
		const struct calltree_node *n = &s->t->nodes[i];

		if (!s->number[i])
			continue;
		json_object(&s->j, NULL);
		if (i)
			json_u64(&s->j, "parent", s->number[n->parent] - 1);
		else
			json_null(&s->j, "parent");
		json_u64(&s->j, "symbol", s->symbol[n->symbol] - 1);
		json_i64(&s->j, "self", n->self[0]);
		json_i64(&s->j, "total", n->total[0]);
		if (s->v->samples)
			json_i64(&s->j, "samples", s->t->counts[i].total[0]);
		json_object_end(&s->j);
	}
	json_array_end(&s->j);
}

int report_tree_json(const struct report_view *v, const struct calltree *t, FILE *out)
{
	_cleanup_(cleanup_free) uint32_t *number = calloc(t->nr_nodes, sizeof(*number));
	_cleanup_(cleanup_free) uint32_t *symbol = calloc(t->nr_symbols, sizeof(*symbol));
	struct tree_json s = { .v = v, .t = t, .number = number, .symbol = symbol };

	if (!number || !symbol)
		return -ENOMEM;
	json_init(&s.j, out);
	json_object(&s.j, NULL);
	put_head(v, t->nodes[0].total[0], &s.j);
	choose(&s);
	put_symbols(&s);
	put_nodes(&s);
	put_left(&s.j, s.left, s.rest);
	return 0;
}
