/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of x86-64 code that a process made and that runs in the frame of a file's function,
 * as code of PHP's JIT does. Such code is of two kinds: parts of that function, which are
 * entered and left by jumps; and functions that such parts call, which end with a return or
 * with a jump to another function. The kind of a piece of code, and where SP is, are proven
 * backwards from where the code is left.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_STUBS_H
#define USTACK_USER_SFRAME_SYNTH_STUBS_H

#include "sframe/func.h"
#include "util/range.h"

/* Limit for bytes of code. */
#define STUBS_MAX_BYTES 65536u
/* Parts of the code begin at multiples of this; zeros fill the space before them. */
#define STUBS_ALIGN 16u

/**
 * struct stubs_code - the code
 * @bytes: the code
 * @len: number of @bytes, at most STUBS_MAX_BYTES
 * @vaddr: run-time address of @bytes
 * @host: run-time range of the function in whose frame the code runs
 * @made: run-time range of all made code, also of what is made later
 * @rule: how to step from the function's frame to its caller
 */
struct stubs_code {
	const u8 *bytes;
	u32 len;
	u64 vaddr;
	struct range host;
	struct range made;
	struct ustack_rule rule;
};

/**
 * synth_stubs() - make rows of the code
 * @c: the code
 * @ret: array of rows in ascending order, for the code and, from @c->len on, with @c->rule;
 *       released by free()
 *
 * Code for which nothing is proven gets the rule CFA = SP, which each step refuses.
 *
 * Return: number of rows, 0 without memory.
 */
u32 synth_stubs(const struct stubs_code *c, struct sframe_row **ret);

#endif /* USTACK_USER_SFRAME_SYNTH_STUBS_H */
