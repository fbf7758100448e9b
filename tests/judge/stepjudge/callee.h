/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules for the last byte of a call, if the CFI computes the CFA from a register, and the table
 * computes it from the word where the callee has saved that register. Such an address occurs
 * only in a calling frame. The rule must agree with libdw's CFI of the callee.
 */
#ifndef USTACK_STEPJUDGE_CALLEE_H
#define USTACK_STEPJUDGE_CALLEE_H

#include "steps.h"

/**
 * callee_of() - find the register that the callee has saved
 * @j: the file
 * @rule: the table's rule at @pc
 * @pc: last byte of an instruction that may be a call
 * @reg: set to the register that DWARF's answer needs
 * @slot: set to its place: the caller's SP + @slot
 *
 *  Return: whether libdw agrees at each address of the callee where walks do not end.
 */
bool callee_of(struct judge *j, const struct ustack_rule *rule, u64 pc,
	       unsigned int reg, s64 *slot);

#endif /* USTACK_STEPJUDGE_CALLEE_H */
