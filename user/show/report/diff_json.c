// SPDX-License-Identifier: GPL-2.0-only
/*
 * A comparison of two profiles as JSON; Documentation/man/ustack-diff.1 has the
 * schema. See diff.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "show/report/diff.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

static void put_pair(struct json *j, const char *name, const int64_t value[2])
{
	json_array(j, name);
	json_i64(j, NULL, value[0]);
	json_i64(j, NULL, value[1]);
	json_array_end(j);
}

static void put_head(const struct diff_view *v, const struct calltree *t, struct json *j)
{
	const struct report_view *s = v->side;
	const struct profile_value_type *type = &s->p->value_types[s->value];
	const struct diff_sums sums = diff_sums(v, t);

	json_string(j, "before", s[0].file);
	json_string(j, "after", s[1].file);
	json_string(j, "type", profile_text(s->p, type->type));
	json_string(j, "unit", profile_text(s->p, type->unit));
	json_bool(j, "absolute", v->absolute);
	put_pair(j, "all", sums.all);
	if (v->counted)
		put_pair(j, "all_samples", sums.samples);
}

static void put_change(const struct diff_change *c, const int64_t value[2], struct json *j)
{
	json_double(j, "change", c->change);
	if (c->tested)
		json_double(j, "z", c->z);
	else
		json_null(j, "z");
	json_string(j, "state", *diff_state(value) ? diff_state(value) : "both");
}

int diff_flat_json(const struct diff_view *v, const struct calltree *t, FILE *out)
{
	_cleanup_(cleanup_free) struct diff_row *rows = NULL;
	uint32_t nr, i;
	struct json j;
	int err = diff_rows(v, t, &rows, &nr);

	if (err)
		return err;
	json_init(&j, out);
	json_object(&j, NULL);
	put_head(v, t, &j);
	json_array(&j, "functions");
	for (i = 0; i < nr; i++) {
		const struct calltree_flat *f = &rows[i].flat;

		if ((v->rows && i >= v->rows) || rows[i].change.weight < v->limit)
			break;
		json_object(&j, NULL);
		report_symbol_json(&t->symbols[f->symbol], &j);
		put_pair(&j, "self", f->self);
		put_pair(&j, "total", f->total);
		if (v->counted)
			put_pair(&j, "samples", v->by_total ? f->count.total : f->count.self);
		put_change(&rows[i].change, v->by_total ? f->total : f->self, &j);
		json_object_end(&j);
	}
	json_array_end(&j);
	json_u64(&j, "left_out", nr - i);
	json_object_end(&j);
	json_end(&j);
	return 0;
}

static void put_node(const struct diff_view *v, const struct calltree *t, uint32_t node,
		     uint32_t parent, struct json *j)
{
	const struct calltree_node *n = &t->nodes[node];
	const struct diff_change c = diff_node(v, t, node);

	json_object(j, NULL);
	if (node)
		json_u64(j, "parent", parent);
	else
		json_null(j, "parent");
	report_symbol_json(&t->symbols[n->symbol], j);
	put_pair(j, "self", n->self);
	put_pair(j, "total", n->total);
	if (v->counted)
		put_pair(j, "samples", t->counts[node].total);
	put_change(&c, n->total, j);
	json_object_end(j);
}

int diff_tree_json(const struct diff_view *v, struct calltree *t, FILE *out)
{
	_cleanup_(cleanup_free) uint32_t *number = calloc(t->nr_nodes, sizeof(*number));
	_cleanup_(cleanup_free) double *reach = NULL;
	uint32_t i, nr = 0;
	struct json j;
	int err = number ? diff_reach(v, t, &reach) : -ENOMEM;

	if (err)
		return err;
	json_init(&j, out);
	json_object(&j, NULL);
	put_head(v, t, &j);
	json_array(&j, "nodes");
	for (i = 0; i < t->nr_nodes; i++) {
		if (i && reach[i] < v->limit)
			continue;
		/* its parent has at least the same reach, so it has a number */
		number[i] = nr++;
		put_node(v, t, i, number[t->nodes[i].parent], &j);
	}
	json_array_end(&j);
	json_u64(&j, "left_out", t->nr_nodes - nr);
	json_object_end(&j);
	json_end(&j);
	return 0;
}
