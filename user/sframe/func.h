/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function's unwind rules on their way from CFI to a section:
 *
 *   cfi.h      ELF file -> FDE -> rows of CFI
 *   synth.h    rows of CFI -> struct sframe_func, or why it has none
 *   encode.h   functions -> bytes of .sframe, version 2 or 3
 *
 * Rules are the core's (rule.h), so that the encoder, the module and the comparison
 * all use the same ones.
 */
#ifndef USTACK_USER_SFRAME_FUNC_H
#define USTACK_USER_SFRAME_FUNC_H

#include "core.h"

/**
 * struct sframe_row - a rule, from @start to the next row's start
 * @start: offset in the function; in a pc-mask function, offset in the block
 * @rule: the rule. Rows cover the whole function, as no version of the format can
 *        express a gap in the middle of one
 */
struct sframe_row {
	u32 start;
	struct ustack_rule rule;
};

/**
 * struct sframe_func - one function
 * @start: link-time address
 * @size: bytes of text, not 0
 * @block: 0, or the bytes of a pc-mask function's repeating block
 * @signal: callers of this code were interrupted by a signal
 * @by_code: the rules were derived from its instructions; no table of the file
 *           has it
 * @nr_rows: number of @rows, not 0
 * @rows: in ascending order of start, the first at 0; borrowed. Two neighbours
 *        always differ
 */
struct sframe_func {
	u64 start;
	u32 size;
	u8 block;
	bool signal;
	bool by_code;
	u32 nr_rows;
	const struct sframe_row *rows;
};

#endif /* USTACK_USER_SFRAME_FUNC_H */
