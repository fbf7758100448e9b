/* SPDX-License-Identifier: GPL-2.0-only */
/* One row of CFI as one rule of the core, or why not. */
#ifndef USTACK_USER_SFRAME_SYNTH_RULE_H
#define USTACK_USER_SFRAME_SYNTH_RULE_H

#include "sframe/cfi.h"
#include "sframe/synth.h"

/**
 * synth_rule() - translate a row
 * @arch: what the row is for
 * @row: the row
 * @signal: its function is a signal trampoline
 * @ret: written on success only
 *
 * What a rule cannot keep is nobody's business: that FP is undefined in the
 * caller, so that whatever it holds will do.
 *
 * Return: SYNTH_NONE, or why there is no such rule.
 */
enum synth_cause synth_rule(const struct ustack_arch *arch,
			    const struct cfi_row *row, bool signal,
			    struct ustack_rule *ret);

/**
 * synth_plt_row() - whether a row has the CFA of x86-64 PLT entries
 * @row: the row
 *
 * Return: from which byte of each 16 on the CFA is SP + 16 and no longer SP + 8;
 * 0 if it is another row.
 */
u8 synth_plt_row(const struct cfi_row *row);

#endif /* USTACK_USER_SFRAME_SYNTH_RULE_H */
