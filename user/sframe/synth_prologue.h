/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of an x86-64 function's frame, from its code. */
#ifndef USTACK_USER_SFRAME_SYNTH_PROLOGUE_H
#define USTACK_USER_SFRAME_SYNTH_PROLOGUE_H

#include "core.h"

/**
 * synth_prologue_depth() - how far SP is below its value at the function's entry
 * @code: the function's bytes
 * @len: number of @code
 * @vaddr: link-time address of @code
 * @ret: bytes that the prologue pushes and reserves, written on success only
 *
 * The prologue are the instructions before the first jump or call.
 *
 * Return: whether SP is there in all of the function that follows, except where it is left: no
 * other instruction moves SP down, or in a way that is not known.
 */
bool synth_prologue_depth(const u8 *code, u32 len, u64 vaddr, u32 *ret);

#endif /* USTACK_USER_SFRAME_SYNTH_PROLOGUE_H */
