/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function's unwind rules on their way from CFI to a section:
 *
 *   cfi.h      ELF file -> FDE -> rows of CFI
 *   synth.h    rows of CFI -> struct sframe_func, or why not
 *   encode.h   functions -> bytes of .sframe, version 2 or 3
 *
 * Rules are the core's (rule.h), so that what is written here, what the module
 * reads, and what a comparison shows are one and the same thing.
 */
#ifndef USTACK_USER_SFRAME_FUNC_H
#define USTACK_USER_SFRAME_FUNC_H

#include "core.h"

/**
 * struct sframe_row - from @start to the next row's start
 * @start: offset in the function; of a pc-mask function in the block
 * @rule: what holds there. A gap in the middle of a function, which no version
 *        can express, does not exist here
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
 * @by_code: proven of its instructions; no table of the file knows it
 * @nr_rows: number of @rows, not 0
 * @rows: in ascending order of start, the first at 0; borrowed. Adjacent ones
 *        differ
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
