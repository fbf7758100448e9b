/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a function's frame is half made or half gone: prologues and epilogues, which
 * encodings do not describe. What the code says of an instruction at which somebody was
 * interrupted is exact, as it is followed from the function's first byte to there, or from
 * there to the end, and only over instructions that are known here. A frame may be made late,
 * behind a test and an early return: what runs before it is an edge, too.
 *
 * Context: any; nothing is kept.
 */
#ifndef USTACK_USER_DARWIN_UNWIND_EDGE_H
#define USTACK_USER_DARWIN_UNWIND_EDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "darwin/unwind_decode.h"

/* Instructions that are followed at most; compilers write twenty. */
#define UNWIND_EDGE_INSNS 64u

/**
 * struct unwind_code - a function's code, and where it was interrupted
 * @bytes: from its first byte on
 * @len: of them, up to its end: a jump to there and beyond leaves it
 * @at: offset of the instruction that would have run next, below @len
 */
struct unwind_code {
	const uint8_t *bytes;
	size_t len;
	size_t at;
};

/**
 * unwind_edge() - the rule in a prologue or an epilogue
 * @arch: whose code
 * @c: the function
 * @ret: on true: of UNWIND_IMMEDIATE, UNWIND_FRAME (x86, where registers are not saved
 *       yet) or UNWIND_FRAMELESS, with UNWIND_LR among @saved while it is there. What it
 *       does not say of registers is unchanged
 *
 * In an epilogue, from the instruction to a return there has to be nothing but steps of
 * one; a jump ends it, too, if it leaves the function and something of the frame went
 * in front of it.
 *
 * Return: whether it is one.
 */
bool unwind_edge(enum unwind_arch arch, const struct unwind_code *c, struct unwind_rule *ret);

/**
 * unwind_edge_calls() - whether the instruction at @c->at calls
 * @arch: whose code
 * @c: the function
 *
 * A table has one row for a call and for the frame that waits for it. By then LR is what the
 * call has made it, so that the row has to say what the body's does.
 */
bool unwind_edge_calls(enum unwind_arch arch, const struct unwind_code *c);

/**
 * unwind_edge_has_frame() - whether a function begins with making a frame pointer's frame
 * @arch: whose code
 * @c: the function; @c->at does not matter
 *
 * For functions of which nothing is said.
 */
bool unwind_edge_has_frame(enum unwind_arch arch, const struct unwind_code *c);

#endif /* USTACK_USER_DARWIN_UNWIND_EDGE_H */
