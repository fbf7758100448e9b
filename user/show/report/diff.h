/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What has changed from one profile to another, and which changes are larger than what two
 * recordings of the same thing differ by.
 */
#ifndef USTACK_USER_REPORT_DIFF_H
#define USTACK_USER_REPORT_DIFF_H

#include "profile/calltree.h"
#include "show/report/text.h"

/**
 * struct diff_view - two profiles and what is shown of them
 * @side: before and after; of these, @p, @file, @value and @lines are used
 * @absolute: values are compared, not shares
 * @counted: trees are made with counts
 * @by_total: of functions: what has changed with what they call
 * @limit: hundredths of a percent: smaller changes are left out; with @absolute, of the
 *         larger sum
 * @rows: at most so many functions; 0 for all
 */
struct diff_view {
	struct report_view side[2];
	bool absolute;
	bool counted;
	bool by_total;
	uint32_t limit;
	uint64_t rows;
};

/**
 * struct diff_change - one change
 * @share: before and after, in percent
 * @change: in percentage points; with @absolute, in the profile's unit
 * @weight: of the change, for order and limit: in hundredths of a percent, fractions
 *          included, never negative
 * @tested: there are samples enough to tell
 * @z: standard errors that the change is, if @tested
 */
struct diff_change {
	double share[2];
	double change;
	double weight;
	bool tested;
	double z;
};

/* What samples of both profiles a change is among. */
struct diff_sums {
	int64_t all[2];
	int64_t samples[2];
};

/**
 * diff_change() - compare
 * @v: the view
 * @sums: of all
 * @value: before and after
 * @samples: that these are made of, if @v->counted
 *
 * Shares are tested as two proportions: with p the share of both profiles' samples
 * together, z = (p1 - p0) / sqrt(p (1 - p) (1/n0 + 1/n1)). Values are tested as two counts:
 * z = (c1 - c0) / sqrt(c0 + c1). Either takes 5 expected samples on each side.
 */
struct diff_change diff_change(const struct diff_view *v, const struct diff_sums *sums,
			       const int64_t value[2], const int64_t samples[2]);

/* "***", "**", "*" or "": beyond 3.29, 2.58, 1.96 standard errors, which chance alone is in
 * 1 of 1000, 100, 20 rows.
 */
const char *diff_mark(const struct diff_change *c);

/* "new", "gone" or "". */
const char *diff_state(const int64_t value[2]);

void diff_head(const struct diff_view *v, const struct calltree *t, FILE *out);

/* Return: 0 or -ENOMEM. The tree is put in order of changes by the last two. */
int diff_flat(const struct diff_view *v, const struct calltree *t, FILE *out);
int diff_flat_json(const struct diff_view *v, const struct calltree *t, FILE *out);
int diff_tree(const struct diff_view *v, struct calltree *t, FILE *out);
int diff_tree_json(const struct diff_view *v, struct calltree *t, FILE *out);

/**
 * struct diff_row - one function
 * @flat: of both profiles
 * @change: of its self (total)
 */
struct diff_row {
	struct calltree_flat flat;
	struct diff_change change;
};

/* All functions, the largest change first. @ret is freed by the caller. Return: 0 or
 * -ENOMEM.
 */
int diff_rows(const struct diff_view *v, const struct calltree *t, struct diff_row **ret,
	      uint32_t *nr);

/* Of each node: the largest weight of a change in it or below it; puts children in this
 * order. @ret is freed by the caller. Return: 0 or -ENOMEM.
 */
int diff_reach(const struct diff_view *v, struct calltree *t, double **ret);

struct diff_sums diff_sums(const struct diff_view *v, const struct calltree *t);
struct diff_change diff_node(const struct diff_view *v, const struct calltree *t,
			     uint32_t node);

#endif /* USTACK_USER_REPORT_DIFF_H */
