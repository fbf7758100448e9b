/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rule at an instruction in a prologue or an epilogue, where a frame is only half made or
 * half removed; encodings do not describe these. The result is exact, as the code is followed
 * from the function's first byte to the instruction, or from there to the function's end, and
 * only over known instructions. A frame may be made late, after a test and an early return:
 * the code before it is an edge, too.
 *
 * Context: any; nothing is kept.
 */
#ifndef USTACK_USER_DARWIN_UNWIND_EDGE_H
#define USTACK_USER_DARWIN_UNWIND_EDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "darwin/unwind_decode.h"

/* Most instructions that are followed; compilers write twenty. */
#define UNWIND_EDGE_INSNS 64u

/**
 * struct unwind_code - a function's code, and the instruction where it was interrupted
 * @bytes: the code from its first byte on
 * @len: number of @bytes; a jump to the end and beyond leaves the function
 * @at: offset of the next instruction to run, below @len
 */
struct unwind_code {
	const uint8_t *bytes;
	size_t len;
	size_t at;
};

/**
 * unwind_edge() - find the rule in a prologue or an epilogue
 * @arch: architecture of the code
 * @c: the function
 * @ret: written if true is returned: UNWIND_IMMEDIATE, UNWIND_FRAME (x86, before registers
 *       are saved) or UNWIND_FRAMELESS, with UNWIND_LR among @saved while it is saved.
 *       Registers that are not in it are unchanged
 *
 * In an epilogue, only steps of an epilogue may be between the instruction and a return. A
 * jump ends it as well, if it leaves the function and part of the frame was removed
 * before it.
 *
 * Return: whether @c->at is in a prologue or an epilogue.
 */
bool unwind_edge(enum unwind_arch arch, const struct unwind_code *c, struct unwind_rule *ret);

/**
 * unwind_edge_calls() - whether the instruction at @c->at is a call
 * @arch: architecture of the code
 * @c: the function
 *
 * A table has one row for a call and for the frame that waits for it. While it waits LR has the
 * call's return address, so the row must be that of the body.
 */
bool unwind_edge_calls(enum unwind_arch arch, const struct unwind_code *c);

/**
 * unwind_edge_has_frame() - whether a function first makes a frame with a frame pointer
 * @arch: architecture of the code
 * @c: the function; @c->at does not matter
 *
 * For functions without unwind information.
 */
bool unwind_edge_has_frame(enum unwind_arch arch, const struct unwind_code *c);

#endif /* USTACK_USER_DARWIN_UNWIND_EDGE_H */
