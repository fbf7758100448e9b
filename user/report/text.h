/* SPDX-License-Identifier: GPL-2.0 */
/* A profile as text: how whole it is, its functions, its tree of calls. */
#ifndef USTACK_USER_REPORT_TEXT_H
#define USTACK_USER_REPORT_TEXT_H

#include <stdio.h>

#include "profile/calltree.h"

/**
 * struct report_view - what is shown of a tree
 * @p: the profile
 * @value: index of the value type
 * @limit: share of all, in hundredths of a percent; what has less is left out
 * @by_total: of functions: those with the largest total first
 * @lines: trees are made with lines of the source
 * @rows: at most so many functions; 0 for all
 */
struct report_view {
	const struct profile *p;
	uint32_t value;
	uint32_t limit;
	bool by_total;
	bool lines;
	uint32_t rows;
};

/* A value with its unit: "1.234 s", "12.3 MiB", "1234". @buf has TEXT_SHORT bytes. */
const char *report_value(const struct report_view *v, int64_t value, char *buf);

/* Lines that begin with '#': what was recorded, how, and the share of complete stacks. */
void report_head(const struct report_view *v, const struct calltree *t, FILE *out);

/* A line for each function. Return: 0 or -ENOMEM. */
int report_flat(const struct report_view *v, const struct calltree *t, FILE *out);

/* A line for each node, callers above what they call (below, if the tree is inverted). What
 * is left out is said in a line with its sum. Return: 0 or -ENOMEM.
 */
int report_tree(const struct report_view *v, const struct calltree *t, FILE *out);

#endif /* USTACK_USER_REPORT_TEXT_H */
