/* SPDX-License-Identifier: GPL-2.0-only */
/* Translates one row of CFI into a rule of the core. */
#ifndef USTACK_USER_SFRAME_SYNTH_RULE_H
#define USTACK_USER_SFRAME_SYNTH_RULE_H

#include "sframe/cfi.h"
#include "sframe/synth.h"

/**
 * synth_rule() - translate a row
 * @arch: architecture of the code
 * @row: the row
 * @signal: the row's function is a signal trampoline
 * @ret: written on success only
 *
 * One fact is lost: that FP is undefined in the caller. Any value does for it.
 *
 * Return: SYNTH_NONE, or why no rule can express the row.
 */
enum synth_cause synth_rule(const struct ustack_arch *arch,
			    const struct cfi_row *row, bool signal,
			    struct ustack_rule *ret);

/**
 * synth_plt_row() - whether a row has the CFA of x86-64 PLT entries
 * @row: the row
 *
 * Return: the byte in each 16 from which the CFA is SP + 16 instead of SP + 8; 0 if it is
 * another row.
 */
u8 synth_plt_row(const struct cfi_row *row);

#endif /* USTACK_USER_SFRAME_SYNTH_RULE_H */
