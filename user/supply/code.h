/* SPDX-License-Identifier: GPL-2.0-only */
/* A file's unwind table: kmod/code.h for programs. */
#ifndef USTACK_USER_SUPPLY_CODE_H
#define USTACK_USER_SUPPLY_CODE_H

#include "core.h"
#include "host/file/locate.h"
#include "supply/section.h"

/* File offsets [off, end) are at link-time address off + delta. */
struct code_segment {
	u64 off;
	u64 end;
	u64 delta;
};

/**
 * struct code - a table, and where offsets in the file are in it
 * @bytes: memory that it takes
 * @entry: link-time address where the program begins, 0 if none is known
 * @segments: executable ones
 * @nr_segments: of them
 * @table: 8-aligned
 */
struct code {
	size_t bytes;
	u64 entry;
	struct code_segment segments[USTACK_MAX_SEGMENTS];
	unsigned int nr_segments;
	struct ustack_table table;
};

/**
 * code_make() - a file's table: of its .sframe, or of a section made for it
 * @f: open, its headers read
 * @cache: of sections; NULL for none
 * @why: on NULL
 *
 * Return: released by free(); NULL if there is none.
 */
struct code *code_make(struct supply_file *f, const struct cache *cache,
		       enum ustack_reason *why);

/* The link-time address of an offset. Return: false if nothing executable is there. */
static inline bool code_address(const struct code *c, u64 off, u64 *ret)
{
	unsigned int i;

	for (i = 0; i < c->nr_segments; i++)
		if (off >= c->segments[i].off && off < c->segments[i].end) {
			*ret = off + c->segments[i].delta;
			return true;
		}
	return false;
}

#endif /* USTACK_USER_SUPPLY_CODE_H */
