/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a section's parts, functions and rows in the file's order, right or wrong, to show
 * them. The kernel uses the compiled table instead.
 */
#ifndef USTACK_USER_SFRAME_SECTION_WALK_H
#define USTACK_USER_SFRAME_SECTION_WALK_H

#include "sframe/section.h"

/**
 * struct sframe_walk - a position in a section
 * @s: the section, opened
 * @part: the current part
 * @next_part: offset after @part
 * @index: number of the function entry to read next
 * @rows_left: rows that may still be read in all. Each row has bytes of its own, so the
 *             number is bounded; entries that share rows cannot make the walk long
 */
struct sframe_walk {
	const struct sframe_section *s;
	struct ustack_part part;
	u32 next_part;
	u32 index;
	u32 rows_left;
};

/* Starts before the first part. */
void sframe_walk_init(struct sframe_walk *w, const struct sframe_section *s);

/* Goes to the next part; false when there is none. */
bool sframe_walk_part(struct sframe_walk *w);

/**
 * sframe_walk_func() - read the next function entry of the part
 * @w: in a part
 * @ret: the function; if it is refused, only @ret->field, its offset, is set
 * @reason: why it is refused, or USTACK_OK
 *
 * Starts are read under the anchor that verify has chosen.
 *
 * Return: false if the part has no more entries.
 */
bool sframe_walk_func(struct sframe_walk *w, struct ustack_func *ret,
		      enum ustack_reason *reason);

/**
 * sframe_walk_row() - read the next row of a function
 * @w: the walk
 * @c: from ustack_rows_init()
 * @func: from sframe_walk_func()
 * @ret: written on success only
 *
 * Return: USTACK_OK; the reasons of ustack_decode_row(), SHARED_ROWS.
 */
enum ustack_reason sframe_walk_row(struct sframe_walk *w,
				   struct ustack_cursor *c,
				   const struct ustack_func *func,
				   struct ustack_row *ret);

#endif /* USTACK_USER_SFRAME_SECTION_WALK_H */
