/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame-pointer walk of the kernel's perf_callchain_user(), from a sample's registers and
 * copied stack: the result of `perf record --call-graph fp`.
 *
 * x86-64: every record at a user address is accepted, even one that leads down the stack.
 * arm64: records are 8-byte aligned and lie above each other; signatures are removed. The
 * caller that `perf record -g` inserts on arm64 comes from the tool, not from the kernel, and
 * is not inserted here (modes.h).
 */
#ifndef GT_FP_WALK_H
#define GT_FP_WALK_H

#include "arch.h"
#include "compare.h"
#include "reader.h"

struct fp_chain {
	unsigned int count;
	bool left_copy;		/* the walk continues where the stack was not copied */
	uint64_t pcs[DW_MAX_FRAMES];
};

/* MOST: number of frames that the kernel had room for */
void fp_walk(const struct arch *arch, const struct regs *regs, const uint8_t *stack,
	     size_t stack_len, unsigned int most, struct fp_chain *ret);

#endif /* GT_FP_WALK_H */
