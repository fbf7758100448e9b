/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the code of an interpreter's function. Compilers move rarely used code elsewhere,
 * without a symbol: a function of CPython 3.14 has 1 KB under its name and 84 KB
 * elsewhere. An entry of .eh_frame belongs to the function if the function jumps into the
 * middle of it: other functions are entered only at their start.
 */
#ifndef USTACK_USER_LANG_EVAL_RANGES_H
#define USTACK_USER_LANG_EVAL_RANGES_H

#include "symbols/lang/elf.h"
#include "util/range.h"

#define EVAL_MAX_RANGES 8u

/**
 * eval_ranges() - find all ranges of a function
 * @e: the file
 * @start: link-time address of the function's symbol
 * @size: size of the symbol in bytes
 * @ret: link-time ranges; the first is the symbol's
 *
 * Return: number of ranges in @ret, 1 to EVAL_MAX_RANGES.
 */
unsigned int eval_ranges(const struct lang_elf *e, u64 start, u64 size,
			 struct range ret[EVAL_MAX_RANGES]);

/* Finds the range of the function that starts at @start. Return: whether there is one. */
bool eval_function(const struct lang_elf *e, u64 start, struct range *ret);

#endif /* USTACK_USER_LANG_EVAL_RANGES_H */
