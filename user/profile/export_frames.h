/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/profile: a profile's stacks as rows of one table, with a row
 * for each function, inlined ones included. Formats that have columns need
 * this.
 */
#ifndef USTACK_USER_PROFILE_EXPORT_FRAMES_H
#define USTACK_USER_PROFILE_EXPORT_FRAMES_H

#include "profile/profile.h"

#define EXPORT_NO_ROW UINT32_MAX

/**
 * struct export_row - a frame of a stack
 * @parent: row of its caller, or of the function it is inlined into;
 *	EXPORT_NO_ROW for outermost
 * @location: number of its location
 * @line: index of its function in @location's lines; 0 if there are none
 */
struct export_row {
	uint32_t parent;
	uint32_t location;
	uint32_t line;
};

/**
 * struct export_rows - all rows, callers first
 * @at: the rows
 * @nr: number of entries in @at
 * @of_stack: by number of a stack, row of its innermost frame; EXPORT_NO_ROW
 *	for number 0
 */
struct export_rows {
	struct export_row *at;
	uint32_t nr;
	uint32_t *of_stack;

	size_t room;	/* private */
};

/*
 * Return: 0; -ENOMEM; -EFBIG above 4 G rows. Must be released in either case.
 */
int export_rows(const struct profile *p, struct export_rows *ret);
void export_rows_release(struct export_rows *r);

/* Room for export_row_name(). */
#define EXPORT_NAME 512u

/* Return: name of the function; "file+0x12ab" in @buf if it has none. */
const char *export_row_name(const struct profile *p, const struct export_row *r,
			    char buf[EXPORT_NAME]);
/* Return: base name of the file that it is in, or "". */
const char *export_row_image(const struct profile *p, const struct export_row *r);
/* Return: whether it is kernel code. */
bool export_row_is_kernel(const struct profile *p, const struct export_row *r);

#endif /* USTACK_USER_PROFILE_EXPORT_FRAMES_H */
