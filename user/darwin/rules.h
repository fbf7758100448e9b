/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/darwin: how struct macho_rules is filled. */
#ifndef USTACK_USER_DARWIN_RULES_H
#define USTACK_USER_DARWIN_RULES_H

#include "darwin/convert.h"

/* All of them return 0 or -ENOMEM. */

/* Begins a function, which has no rows yet. */
int rules_begin(struct macho_rules *r, u64 start, bool signal);
/* From @off of it on; nothing happens if that is what holds already. */
int rules_row(struct macho_rules *r, u32 off, const struct ustack_rule *rule);
/* Ends it behind @size bytes. */
void rules_end(struct macho_rules *r, u32 size);

int rules_gap(struct macho_rules *r, u64 start, u64 end, const char *name, const char *text);

/* An encoding's rule, or that of an edge, as one of the core's; @size of UNWIND_INDIRECT. */
struct ustack_rule rules_of(enum unwind_arch arch, const struct unwind_rule *u, u32 size);

/**
 * struct rules_body - what is said of a piece of code
 * @row: rows, ascending; offsets count from @origin
 * @nr: number of them, at least 1
 * @origin: image offset, at or in front of the piece
 */
struct rules_body {
	const struct sframe_row *row;
	u32 nr;
	u32 origin;
};

/**
 * rules_function() - a function: what is said of it, and what its code says of its edges
 * @r: gets it
 * @image: the file
 * @start: image offset
 * @end: behind it
 * @body: what is said
 */
int rules_function(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end,
		   const struct rules_body *body);

/* The same of a signal's trampoline, which nobody called: nothing but what is said. */
int rules_trampoline(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end,
		     const struct rules_body *body);

/* A part of a section of stubs. */
int rules_stubs(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end);

#endif /* USTACK_USER_DARWIN_RULES_H */
