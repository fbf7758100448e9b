/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the code of an interpreter's function is. Compilers put what is seldom run elsewhere,
 * without a symbol: a function of CPython 3.14 has 1 KB under its name and 84 KB elsewhere. What
 * belongs to it are the entries of .eh_frame that its code jumps into the middle of: no other
 * function is entered there.
 */
#ifndef USTACK_USER_LANG_EVAL_RANGES_H
#define USTACK_USER_LANG_EVAL_RANGES_H

#include "symbols/lang/elf.h"
#include "util/range.h"

#define EVAL_MAX_RANGES 8u

/**
 * eval_ranges() - find the parts of a function
 * @e: its file
 * @start: link-time address
 * @size: of the symbol
 * @ret: link-time addresses, the symbol's first
 *
 * Return: ranges in @ret, at least 1 and at most EVAL_MAX_RANGES.
 */
unsigned int eval_ranges(const struct lang_elf *e, u64 start, u64 size,
			 struct range ret[EVAL_MAX_RANGES]);

/* Finds the function that begins at @start and has an entry. Return: whether there is one. */
bool eval_function(const struct lang_elf *e, u64 start, struct range *ret);

#endif /* USTACK_USER_LANG_EVAL_RANGES_H */
