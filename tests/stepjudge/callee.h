/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules for the last byte of a call, where the CFA counts from a register by the CFI,
 * and by the table from the word where the callee has saved it. Such an address is
 * a calling frame's only. What libdw says of the callee has to allow it.
 */
#ifndef USTACK_STEPJUDGE_CALLEE_H
#define USTACK_STEPJUDGE_CALLEE_H

#include "steps.h"

/**
 * callee_of() - the register that the callee has saved
 * @j: the file
 * @rule: the table's at @pc
 * @pc: last byte of what may be a call
 * @reg: the register, which DWARF's answer needs
 * @slot: it is saved at the caller's SP + @slot
 *
 * Return: whether libdw says so for each address of the callee where walks do not end.
 */
bool callee_of(struct judge *j, const struct ustack_rule *rule, u64 pc,
	       unsigned int reg, s64 *slot);

#endif /* USTACK_STEPJUDGE_CALLEE_H */
