/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the code after a call of a function that returns is still the caller's. */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_AFTER_H
#define USTACK_USER_SFRAME_SYNTH_CODE_AFTER_H

#include "sframe/synth_code_flow.h"

/**
 * code_after_may_be_other() - whether another function may begin after a call
 * @f: states are found, and code after calls has CODE_JUMPED
 * @s: a call of a function that returns
 *
 * If a compiler knows that the code after a call cannot be reached, it leaves that code out, although
 * the called function returns (llvm_unreachable() at the end of LLVM's functions). Then the next
 * function follows.
 *
 * Return: true if the registers that the code uses show that a function begins there; or if the file
 * suggests it, or padding is before the code, and no code after calls jumps there: compilers align
 * loops, but not code that only the instruction before it leads to.
 */
bool code_after_may_be_other(struct code_flow *f, const struct code_step *s);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_AFTER_H */
