/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers that an epilogue has popped. Up to the return, CFI goes on naming
 * the slots where they were: below SP, where no word belongs to a frame. A
 * copied stack has no such words, and without a red zone (AArch64) a signal's
 * handler may have overwritten them. The registers have their old values again,
 * so they are kept.
 *
 * A register is kept only if an earlier row had it in the same slot at or above
 * SP. Code that stores into the red zone first and moves SP later (gcc
 * -mtune=k8) may change the register in between: then the slot is read.
 */
#ifndef USTACK_CORE_POPPED_H
#define USTACK_CORE_POPPED_H

#include "arch.h"
#include "rule.h"

/**
 * struct ustack_slots - slots of two registers in the last row that has them at or above SP
 * @fp: offset of FP from the CFA; 0 if FP is not on the stack
 * @ra: offset of the return address from the CFA, on architectures that have it
 *      in a register; 0 if it is not on the stack
 *
 * All zero before a function's first row.
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
 * @slots: slots of the previous rows; updated for this row
 * @arch: architecture of the code
 * @rule: rule of the row; rows come in the order of their starts, one for each
 *        start
 *
 * A signal frame has all registers, wherever SP is.
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
