/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile as text or JSON: how complete its stacks are, its functions, its
 * call tree.
 */
#ifndef USTACK_USER_REPORT_TEXT_H
#define USTACK_USER_REPORT_TEXT_H

#include <stdio.h>

#include "profile/calltree.h"
#include "show/report/reasons.h"
#include "show/report/select.h"
#include "show/report/sort.h"

/**
 * struct report_view - what to show
 * @p: the profile
 * @select: selects the samples to show; NULL for all
 * @file: file of the profile, for JSON
 * @value: index of the value type
 * @limit: share of all in hundredths of a percent; rows with less are left out
 * @by_total: show functions with the largest total first
 * @lines: trees are made with lines of the source
 * @samples: trees are made with counts: show the number of samples
 * @rows: maximum of functions; 0 for all
 * @least: number of functions that are shown, the largest first, even if they
 *	are below @limit
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

/*
 * Writes a value with its unit: "1.234 s", "12.3 MiB", "1234". @buf has
 * TEXT_SHORT bytes.
 */
const char *report_value(const struct report_view *v, int64_t value, char *buf);

/* Return: a share in percent; 0 if @whole is 0. */
double report_share(int64_t part, int64_t whole);
/*
 * Return: whether @part is large enough to be shown. The sign of a negative
 * value is ignored.
 */
bool report_shows(const struct report_view *v, int64_t part, int64_t whole);

/* Sums up why the selected stacks end; see report_reasons(). */
unsigned int report_view_reasons(const struct report_view *v,
				 struct report_reason ret[REPORT_MAX_REASONS], int64_t *all);

/* Prints a function's name and, with @v->lines, its source. */
void report_name(const struct report_view *v, const struct calltree_symbol *s, FILE *out);

/*
 * Writes ", " and profile_whole_text(), or "" if no sample has a stack. Return:
 * @buf.
 */
const char *report_whole(const struct report_view *v, char *buf, size_t len);

/*
 * Prints lines that begin with '#': what was recorded, how, and the share of
 * complete stacks. @all: sum of the selected samples.
 */
void report_head(const struct report_view *v, int64_t all, FILE *out);

/* Prints a line for each function. Return: 0 or -ENOMEM. */
int report_flat(const struct report_view *v, const struct calltree *t, FILE *out);

/* Prints a line for each row. */
void report_rows_text(const struct report_view *v, const struct report_keys *keys,
		      const struct report_rows *r, FILE *out);

/*
 * Prints a line for each node, callers above what they call (below, if the tree
 * is inverted). A line shows the sum of nodes that are left out. Return: 0 or
 * -ENOMEM.
 */
int report_tree(const struct report_view *v, const struct calltree *t, FILE *out);

/* The same as JSON; ustack-report(1) has the schema. Return: 0 or -ENOMEM. */
int report_flat_json(const struct report_view *v, const struct calltree *t, FILE *out);
int report_tree_json(const struct report_view *v, const struct calltree *t, FILE *out);
void report_rows_json(const struct report_view *v, const struct report_keys *keys,
		      const struct report_rows *r, FILE *out);

struct json;
/* Writes the members of a function's object. */
void report_symbol_json(const struct calltree_symbol *s, struct json *j);

#endif /* USTACK_USER_REPORT_TEXT_H */
