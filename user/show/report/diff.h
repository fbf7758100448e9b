/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares two profiles: what has changed, and which changes are larger than
 * the difference between two recordings of the same thing.
 */
#ifndef USTACK_USER_REPORT_DIFF_H
#define USTACK_USER_REPORT_DIFF_H

#include "profile/calltree.h"
#include "show/report/text.h"

/**
 * struct diff_view - two profiles and how to show them
 * @side: before and after; @p, @file, @value and @lines of each are used
 * @absolute: compare values, not shares
 * @counted: trees are made with counts
 * @by_total: compare functions together with what they call
 * @limit: hundredths of a percent: smaller changes are left out; with
 *	@absolute, of the larger of both sums
 * @rows: maximum of functions to show; 0 for all
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
 * @weight: size of the change, for order and limit: in hundredths of a percent,
 *	fractions included, never negative
 * @tested: there are enough samples for a test
 * @z: size of the change in standard errors, if @tested
 */
struct diff_change {
	double share[2];
	double change;
	double weight;
	bool tested;
	double z;
};

/* Sums of all samples of both profiles. */
struct diff_sums {
	int64_t all[2];
	int64_t samples[2];
};

/**
 * diff_change() - compare
 * @v: the view
 * @sums: sums of all samples
 * @value: values before and after
 * @samples: numbers of samples in these, if @v->counted
 *
 * Shares are tested as two proportions: with p the share in both profiles'
 * samples together, z = (p1 - p0) / sqrt(p (1 - p) (1/n0 + 1/n1)). Values are
 * tested as two counts: z = (c1 - c0) / sqrt(c0 + c1). Both need at least 5
 * expected samples on each side.
 */
struct diff_change diff_change(const struct diff_view *v, const struct diff_sums *sums,
			       const int64_t value[2], const int64_t samples[2]);

/*
 * Return: "***", "**", "*" or "": more than 3.29, 2.58, 1.96 standard errors,
 * which occurs by chance alone in 1 of 1000, 100, 20 rows.
 */
const char *diff_mark(const struct diff_change *c);

/* Return: "new", "gone" or "". */
const char *diff_state(const int64_t value[2]);

void diff_head(const struct diff_view *v, const struct calltree *t, FILE *out);

/*
 * Print the changes. Return: 0 or -ENOMEM. The last two sort the tree by
 * changes.
 */
int diff_flat(const struct diff_view *v, const struct calltree *t, FILE *out);
int diff_flat_json(const struct diff_view *v, const struct calltree *t, FILE *out);
int diff_tree(const struct diff_view *v, struct calltree *t, FILE *out);
int diff_tree_json(const struct diff_view *v, struct calltree *t, FILE *out);

/**
 * struct diff_row - one function
 * @flat: the function in both profiles
 * @change: change of its @self, or of its @total if the view is @by_total
 */
struct diff_row {
	struct calltree_flat flat;
	struct diff_change change;
};

/*
 * @ret: all functions, the largest change first; the caller frees it. Return: 0
 * or -ENOMEM.
 */
int diff_rows(const struct diff_view *v, const struct calltree *t, struct diff_row **ret,
	      uint32_t *nr);

/*
 * @ret: for each node, the largest weight of a change in it or below it; the
 * caller frees it. Sorts children by this. Return: 0 or -ENOMEM.
 */
int diff_reach(const struct diff_view *v, struct calltree *t, double **ret);

struct diff_sums diff_sums(const struct diff_view *v, const struct calltree *t);
struct diff_change diff_node(const struct diff_view *v, const struct calltree *t,
			     uint32_t node);

#endif /* USTACK_USER_REPORT_DIFF_H */
