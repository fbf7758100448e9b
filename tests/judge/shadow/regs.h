/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares the effects of instructions by user/sframe/x86_regs.h with what they did when they ran. */
#ifndef USTACK_SHADOW_REGS_H
#define USTACK_SHADOW_REGS_H

#include <sys/user.h>

#include "sframe/x86_insn.h"

/**
 * struct regs_sums - instructions that were compared
 * @exact: the result was computed
 * @writes: only the set of registers that may change is known
 * @wrong: another register changed, or the result is another one
 */
struct regs_sums {
	u64 exact;
	u64 writes;
	u64 wrong;
};

/**
 * regs_compare() - compare one instruction
 * @sums: counts it
 * @code: bytes of the instruction
 * @insn: result of x86_insn_read() for them
 * @before: registers before it ran
 * @after: registers after it ran; no signal came in between
 */
void regs_compare(struct regs_sums *sums, const u8 *code, const struct x86_insn *insn,
		  const struct user_regs_struct *before, const struct user_regs_struct *after);

#endif /* USTACK_SHADOW_REGS_H */
