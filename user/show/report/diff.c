// SPDX-License-Identifier: GPL-2.0-only
/*
 * Computes and tests the changes between two profiles, and sorts rows by them.
 * See diff.h; diff_text.c and diff_json.c print them.
 */
#include "show/report/diff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"

#include "util/poison.h"

/*
 * With fewer expected samples the distributions are not close enough to the
 * normal for a test.
 */
#define MIN_EXPECTED 5.0

static bool test_shares(const int64_t c[2], const int64_t n[2], double *z)
{
	double n0 = (double)n[0], n1 = (double)n[1], p, least;

	if (c[0] < 0 || c[1] < 0 || c[0] > n[0] || c[1] > n[1] || !n[0] || !n[1])
		return false;
	p = ((double)c[0] + (double)c[1]) / (n0 + n1);
	least = (p < 1 - p ? p : 1 - p) * (n0 < n1 ? n0 : n1);
	if (least < MIN_EXPECTED)
		return false;
	*z = ((double)c[1] / n1 - (double)c[0] / n0) / sqrt(p * (1 - p) * (1 / n0 + 1 / n1));
	return true;
}

static bool test_counts(const int64_t c[2], double *z)
{
	double sum = (double)c[0] + (double)c[1];

	if (c[0] < 0 || c[1] < 0 || sum < 2 * MIN_EXPECTED)
		return false;
	*z = ((double)c[1] - (double)c[0]) / sqrt(sum);
	return true;
}

struct diff_change diff_change(const struct diff_view *v, const struct diff_sums *sums,
			       const int64_t value[2], const int64_t samples[2])
{
	struct diff_change c = { .tested = false };
	double most = fmax(fabs((double)sums->all[0]), fabs((double)sums->all[1]));
	unsigned int k;

	for (k = 0; k < 2; k++)
		c.share[k] = report_share(value[k], sums->all[k]);
	if (v->absolute) {
		c.change = (double)value[1] - (double)value[0];
		c.weight = most > 0 ? fabs(c.change) / most * 10000 : 0;
	} else {
		c.change = c.share[1] - c.share[0];
		c.weight = fabs(c.change) * 100;
	}
	if (v->counted)
		c.tested = v->absolute ? test_counts(samples, &c.z) :
					 test_shares(samples, sums->samples, &c.z);
	return c;
}

const char *diff_mark(const struct diff_change *c)
{
	double z = c->tested ? fabs(c->z) : 0;

	return z > 3.29 ? "***" : z > 2.58 ? "**" : z > 1.96 ? "*" : "";
}

const char *diff_state(const int64_t value[2])
{
	return value[0] && !value[1] ? "gone" : value[1] && !value[0] ? "new" : "";
}

struct diff_sums diff_sums(const struct diff_view *v, const struct calltree *t)
{
	struct diff_sums s = { { t->nodes[0].total[0], t->nodes[0].total[1] }, { 0 } };

	if (v->counted)
		memcpy(s.samples, t->counts[0].total, sizeof(s.samples));
	return s;
}

struct diff_change diff_node(const struct diff_view *v, const struct calltree *t,
			     uint32_t node)
{
	const struct diff_sums sums = diff_sums(v, t);

	return diff_change(v, &sums, t->nodes[node].total,
			   v->counted ? t->counts[node].total : NULL);
}

/* Equal weights keep the order of calltree_flat(): by value, then by name. */
static int by_weight(const void *x, const void *y, void *arg)
{
	const struct diff_row *rows = arg, *a = &rows[*(const uint32_t *)x],
			      *b = &rows[*(const uint32_t *)y];

	if (a->change.weight != b->change.weight)
		return a->change.weight > b->change.weight ? -1 : 1;
	return *(const uint32_t *)x < *(const uint32_t *)y ? -1 : 1;
}

static int order_rows(struct diff_row **rows, uint32_t nr)
{
	_cleanup_(cleanup_free) uint32_t *order = calloc(nr + 1, sizeof(*order));
	struct diff_row *to = calloc(nr + 1, sizeof(*to));
	uint32_t i;

	if (!order || !to) {
		free(to);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++)
		order[i] = i;
	qsort_r(order, nr, sizeof(*order), by_weight, *rows);
	for (i = 0; i < nr; i++)
		to[i] = (*rows)[order[i]];
	free(*rows);
	*rows = to;
	return 0;
}

int diff_rows(const struct diff_view *v, const struct calltree *t, struct diff_row **ret,
	      uint32_t *nr)
{
	_cleanup_(cleanup_free) struct calltree_flat *flat = NULL;
	const struct diff_sums sums = diff_sums(v, t);
	struct diff_row *rows;
	uint32_t i, all;
	int err;

	err = calltree_flat(t, v->by_total, &flat, &all);
	if (err)
		return err;
	rows = calloc(all + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	*nr = 0;
	for (i = 0; i < all; i++) {
		const struct calltree_flat *f = &flat[i];

		if (t->symbols[f->symbol].kind == CALLTREE_LABEL)
			continue;
		rows[*nr].flat = *f;
		rows[(*nr)++].change =
			diff_change(v, &sums, v->by_total ? f->total : f->self,
				    v->by_total ? f->count.total : f->count.self);
	}
	err = order_rows(&rows, *nr);
	if (err)
		free(rows);
	else
		*ret = rows;
	return err;
}

static int64_t reach_weight(const struct calltree *t, uint32_t node, void *arg)
{
	const double *reach = arg;

	(void)t;
	/*
	 * if negative values make the sum small, parts may be many times as
	 * large
	 */
	return (int64_t)fmin(reach[node] * 1e9, 9e18);
}

int diff_reach(const struct diff_view *v, struct calltree *t, double **ret)
{
	double *reach = calloc(t->nr_nodes, sizeof(*reach)), weight;
	uint32_t i, parent;
	int err;

	if (!reach)
		return -ENOMEM;
	/* nodes below a node have higher numbers */
	for (i = t->nr_nodes; i--;) {
		weight = diff_node(v, t, i).weight;
		if (reach[i] < weight)
			reach[i] = weight;
		parent = t->nodes[i].parent;
		if (i && reach[parent] < reach[i])
			reach[parent] = reach[i];
	}
	err = calltree_order(t, reach_weight, reach);
	if (err)
		free(reach);
	else
		*ret = reach;
	return err;
}
