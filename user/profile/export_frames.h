/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile's stacks as rows of one table, a row for each function, inlined ones too: what column
 * formats have. For user/profile alone.
 */
#ifndef USTACK_USER_PROFILE_EXPORT_FRAMES_H
#define USTACK_USER_PROFILE_EXPORT_FRAMES_H

#include "profile/profile.h"

#define EXPORT_NO_ROW UINT32_MAX

/**
 * struct export_row - a frame of a stack
 * @parent: row of its caller, or of what it is inlined into; EXPORT_NO_ROW if it is outermost
 * @location: its location
 * @line: index in @location's lines, of its function; 0 of one without lines
 */
struct export_row {
	uint32_t parent;
	uint32_t location;
	uint32_t line;
};

/**
 * struct export_rows - all of them, callers before what they call
 * @at: @nr of them
 * @of_stack: by number of stack: the row of its innermost frame; EXPORT_NO_ROW of number 0
 */
struct export_rows {
	struct export_row *at;
	uint32_t nr;
	uint32_t *of_stack;

	size_t room;	/* private */
};

/* Return: 0; -ENOMEM; -EFBIG: 4 G of them. To be released in either case. */
int export_rows(const struct profile *p, struct export_rows *ret);
void export_rows_release(struct export_rows *r);

/* Room for export_row_name(). */
#define EXPORT_NAME 512u

/* The function's name; "file+0x12ab" in @buf where there is none. */
const char *export_row_name(const struct profile *p, const struct export_row *r,
			    char buf[EXPORT_NAME]);
/* Base name of the file that it is in, or "". */
const char *export_row_image(const struct profile *p, const struct export_row *r);
/* Whether it is the kernel's. */
bool export_row_is_kernel(const struct profile *p, const struct export_row *r);

#endif /* USTACK_USER_PROFILE_EXPORT_FRAMES_H */
