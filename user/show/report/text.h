/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile as text or JSON: how whole it is, its functions, its tree of calls. */
#ifndef USTACK_USER_REPORT_TEXT_H
#define USTACK_USER_REPORT_TEXT_H

#include <stdio.h>

#include "profile/calltree.h"
#include "show/report/reasons.h"
#include "show/report/select.h"
#include "show/report/sort.h"

/**
 * struct report_view - what is shown of a tree
 * @p: the profile
 * @select: which samples are looked at; NULL for all
 * @file: that it came from, for JSON
 * @value: index of the value type
 * @limit: share of all, in hundredths of a percent; what has less is left out
 * @by_total: of functions: those with the largest total first
 * @lines: trees are made with lines of the source
 * @samples: trees are made with counts: show the number of samples
 * @rows: at most so many functions; 0 for all
 * @least: functions that are shown, largest first, even if they have less than @limit
 */
struct report_view {
	const struct profile *p;
	const struct report_select *select;
	const char *file;
	uint32_t value;
	uint32_t limit;
	bool by_total;
	bool lines;
	bool samples;
	uint64_t rows;
	uint32_t least;
};

/* A value with its unit: "1.234 s", "12.3 MiB", "1234". @buf has TEXT_SHORT bytes. */
const char *report_value(const struct report_view *v, int64_t value, char *buf);

/* A share in percent; 0 of nothing. */
double report_share(int64_t part, int64_t whole);
/* Whether @part is enough of @whole to be shown. What is less than nothing counts by its size. */
bool report_shows(const struct report_view *v, int64_t part, int64_t whole);

/* Why the stacks that are looked at end; see report_reasons(). */
unsigned int report_view_reasons(const struct report_view *v,
				 struct report_reason ret[REPORT_MAX_REASONS], int64_t *all);

/* A function's name, and its source with @v->lines. */
void report_name(const struct report_view *v, const struct calltree_symbol *s, FILE *out);

/* ", " and profile_whole_text(), or "" if samples do not say so. Return: @buf. */
const char *report_whole(const struct report_view *v, char *buf, size_t len);

/* Lines that begin with '#': what was recorded, how, and the share of complete stacks.
 * @all is the sum of what is looked at.
 */
void report_head(const struct report_view *v, int64_t all, FILE *out);

/* A line for each function. Return: 0 or -ENOMEM. */
int report_flat(const struct report_view *v, const struct calltree *t, FILE *out);

/* A line for each row. */
void report_rows_text(const struct report_view *v, const struct report_keys *keys,
		      const struct report_rows *r, FILE *out);

/* A line for each node, callers above what they call (below, if the tree is inverted). What
 * is left out is said in a line with its sum. Return: 0 or -ENOMEM.
 */
int report_tree(const struct report_view *v, const struct calltree *t, FILE *out);

/* The same as JSON: ustack-report(1) has its schema. Return: 0 or -ENOMEM. */
int report_flat_json(const struct report_view *v, const struct calltree *t, FILE *out);
int report_tree_json(const struct report_view *v, const struct calltree *t, FILE *out);
void report_rows_json(const struct report_view *v, const struct report_keys *keys,
		      const struct report_rows *r, FILE *out);

struct json;
/* The members of a function's object. */
void report_symbol_json(const struct calltree_symbol *s, struct json *j);

#endif /* USTACK_USER_REPORT_TEXT_H */
