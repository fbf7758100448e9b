/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/darwin: adds functions and gaps to a struct macho_rules. */
#ifndef USTACK_USER_DARWIN_RULES_H
#define USTACK_USER_DARWIN_RULES_H

#include "darwin/convert.h"

/* All functions that return int return 0 or -ENOMEM. */

int rules_gap(struct macho_rules *r, u64 start, u64 end, const char *name, const char *text);

/* The core's rule for an encoding or an edge; @size: the frame's, for UNWIND_INDIRECT. */
struct ustack_rule rules_of(enum unwind_arch arch, const struct unwind_rule *u, u32 size);

/**
 * struct rules_body - rows of a piece of code, apart from prologues and epilogues
 * @row: rows, ascending; their offsets count from @origin
 * @nr: number of @row, at least 1
 * @origin: image offset, at or before the piece
 */
struct rules_body {
	const struct sframe_row *row;
	u32 nr;
	u32 origin;
};

/**
 * rules_function() - add a function, with rows from @body and from its code
 * @r: receives it
 * @image: the file
 * @start: image offset
 * @end: image offset after the last byte
 * @body: rows of the body
 */
int rules_function(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end,
		   const struct rules_body *body);

/* The same for a signal trampoline: as nobody calls it, it has rows from @body only. */
int rules_trampoline(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end,
		     const struct rules_body *body);

/* Adds a part of a section of stubs as a function. */
int rules_stubs(struct macho_rules *r, const struct macho_image *image, u32 start, u32 end);

#endif /* USTACK_USER_DARWIN_RULES_H */
