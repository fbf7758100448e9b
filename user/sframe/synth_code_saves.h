/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that are recognised by the registers that they save first. */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_SAVES_H
#define USTACK_USER_SFRAME_SYNTH_CODE_SAVES_H

#include "sframe/synth_code_text.h"

/**
 * code_saves_registers() - whether code begins as only a function does
 * @a: an area of text
 * @off: offset in it
 *
 * Return: whether the code pushes at least three of the registers that a function must keep, in the
 * order that compilers use, and then subtracts from SP, without a jump, a call or a change of another
 * such register between. So SP points to the return address at @off, if it is the place of a function
 * or of a label at all.
 */
bool code_saves_registers(const struct code_area *a, u32 off);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_SAVES_H */
