/* SPDX-License-Identifier: GPL-2.0-only */
/* Annotated functions as text and as JSON. */
#ifndef USTACK_USER_ANNOTATE_TEXT_H
#define USTACK_USER_ANNOTATE_TEXT_H

#include <stdio.h>

#include "show/annotate/annotate.h"
#include "show/report/text.h"

enum annotate_order {
	ANNOTATE_BY_ADDRESS,	/* all instructions, with source lines between them */
	ANNOTATE_HOTTEST,	/* instructions with samples, the hottest first */
	ANNOTATE_LINES,		/* source lines with samples, the hottest first */
};

struct sources;

/**
 * struct annotate_view - what to show
 * @report: profile, file and value type; @limit is a share of the function's
 *	samples
 * @order: enum annotate_order
 * @sources: reads source lines (show/annotate/source.h); NULL to show numbers
 *	of lines only
 */
struct annotate_view {
	struct report_view report;
	enum annotate_order order;
	struct sources *sources;
};

/* Prints a function after annotate_code(). Return: 0 or -ENOMEM. */
int annotate_print(const struct annotate_view *v, const struct annotate *a,
		   const struct annotate_function *f, FILE *out);

/*
 * Prints only the head of a function that has no instructions to show, and the
 * reason: @words.
 */
void annotate_print_missing(const struct annotate_view *v, const struct annotate *a,
			    const struct annotate_function *f, const char *words, FILE *out);

struct json;
/*
 * Writes a function as an object; ustack-annotate(1) describes its members.
 * @words: why it has no instructions, or NULL.
 */
void annotate_json(const struct annotate_function *f, const char *words, struct json *j);

#endif /* USTACK_USER_ANNOTATE_TEXT_H */
