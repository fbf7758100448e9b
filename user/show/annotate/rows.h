/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of an annotated function, for every view: text.c prints them, the
 * terminal and the page of ustack flame show them. All views compute shares by
 * the same function, so that they agree.
 */
#ifndef USTACK_USER_ANNOTATE_ROWS_H
#define USTACK_USER_ANNOTATE_ROWS_H

#include "show/annotate/text.h"

enum annotate_row_kind {
	ANNOTATE_ROW_INSN,	/* an instruction: "    1139:  jmp ..." */
	ANNOTATE_ROW_SOURCE,	/* the source line that the next instructions come from */
	ANNOTATE_ROW_CALL,	/* the inlined function of the next rows, and its call site */
	ANNOTATE_ROW_GAP,	/* "...": instructions are left out */
};

/**
 * struct annotate_row - a row
 * @kind: enum annotate_row_kind
 * @value: samples of an instruction, in the value type of the view; 0 for other
 *	kinds
 * @text: any bytes, because names and sources come from files
 */
struct annotate_row {
	enum annotate_row_kind kind;
	int64_t value;
	const char *text;
};

/**
 * struct annotate_rows - everybody may read it
 * @rows: the rows
 * @nr: number of entries in @rows
 * @longest: length of the longest text, without its NUL
 */
struct annotate_rows {
	struct annotate_row *rows;
	size_t nr;
	size_t longest;

	/* private */
	char *text;
	size_t room;
};

/**
 * annotate_rows_new() - make rows for all instructions of a function, with the
 * source between them
 * @v: the view; instructions below its limit become gaps
 * @f: after annotate_code()
 * @ret: released by annotate_rows_free()
 *
 * Return: 0 or -ENOMEM.
 */
int annotate_rows_new(const struct annotate_view *v, const struct annotate_function *f,
		      struct annotate_rows **ret);
/* @r may be NULL. */
void annotate_rows_free(struct annotate_rows *r);

/* For _cleanup_(). */
static inline void annotate_rows_cleanup(struct annotate_rows **r)
{
	annotate_rows_free(*r);
}

/* Size of a share's text. */
#define ANNOTATE_SHARE 16u
/*
 * Writes the share of a row or a line in percent: "12.34", or "" without
 * samples. Return: @buf.
 */
const char *annotate_share(int64_t value, const struct annotate_function *f, char buf[ANNOTATE_SHARE]);

#endif /* USTACK_USER_ANNOTATE_ROWS_H */
