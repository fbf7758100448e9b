/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers that an epilogue has popped. CFI goes on saying where they were, up to the
 * return: below SP, where no word is a frame's. A copied stack has none there, and where the
 * ABI has no red zone (AArch64), a signal's handler has overwritten them. The registers have
 * their values again, so they are kept.
 *
 * Kept is only what an earlier row has had in the same slot at or above SP. Code that stores
 * into the red zone first and moves SP later (gcc -mtune=k8) may change the register between:
 * there the slot is read.
 */
#ifndef USTACK_CORE_POPPED_H
#define USTACK_CORE_POPPED_H

#include "arch.h"
#include "rule.h"

/**
 * struct ustack_slots - where the last row with a slot at or above SP has two registers
 * @fp: offset from the CFA; 0 if FP is nowhere on the stack
 * @ra: the same of the return address, of architectures that have it in a register
 *
 * Zeros in front of a function's first row.
 */
struct ustack_slots {
	s32 fp;
	s32 ra;
};

static inline void ustack_keep_register(const struct ustack_rule *rule, u8 *op, s32 *off,
					s32 *slot)
{
	bool on_stack = *op == (USTACK_OP_CFA | USTACK_OP_DEREF);
	bool below = on_stack && rule->cfa == USTACK_OP_SP && (s64)rule->cfa_off + *off < 0;

	if (!below) {
		*slot = on_stack ? *off : 0;
	} else if (*slot == *off) {
		*op = USTACK_OP_NONE;
		*off = 0;
	}
}

/**
 * ustack_keep_popped() - rewrite a row that names slots of popped registers
 * @slots: of the rows in front; of this one, too, on return
 * @arch: architecture of the code
 * @rule: the row's; rows come in the order of their starts, one for each start
 *
 * A signal's frame has all registers, wherever SP is.
 *
 * Context: any.
 */
static inline void ustack_keep_popped(struct ustack_slots *slots, const struct ustack_arch *arch,
				      struct ustack_rule *rule)
{
	if (rule->flags & USTACK_RULE_SIGNAL)
		return;
	ustack_keep_register(rule, &rule->fp, &rule->fp_off, &slots->fp);
	if (!arch->ra_fixed)
		ustack_keep_register(rule, &rule->ra, &rule->ra_off, &slots->ra);
}

#endif /* USTACK_CORE_POPPED_H */
