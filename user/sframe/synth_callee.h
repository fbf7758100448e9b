/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside synth_saved.c: what is proven of the function that is called. */
#ifndef USTACK_USER_SFRAME_SYNTH_CALLEE_H
#define USTACK_USER_SFRAME_SYNTH_CALLEE_H

#include "sframe/cfi.h"
#include "sframe/synth.h"

/* Bytes that walks may end in, of a function. Prologues that save all six
 * registers have less than 32.
 */
#define CALLEE_MAX_UNSAVED 64u
#define CALLEE_MAX_GAPS 4u
/* Bytes of code that are decoded at a time: of functions, few have 64 KiB. */
#define CALLEE_MAX_CODE (256u << 10)
/* A function and what compilers move away from it, as unlikely. */
#define CALLEE_MAX_PARTS 3u

/**
 * struct callee_part - code with an FDE of its own
 * @start: link-time address
 * @size: bytes
 * @met: its CFI was seen
 */
struct callee_part {
	u64 start;
	u32 size;
	bool met;
};

/**
 * struct callee - a function that saves a register
 * @reg: the register, by DWARF number
 * @good: nothing was found against it
 * @slot: the register is at CFA + @slot, below 0
 * @parts: the function, and what it jumps to
 * @nr_parts: number of @parts, at least 1
 * @gaps: where the register is not yet there
 * @nr_gaps: number of @gaps
 */
struct callee {
	unsigned int reg;
	bool good;
	s64 slot;
	struct callee_part parts[CALLEE_MAX_PARTS];
	u32 nr_parts;
	struct ustack_range gaps[CALLEE_MAX_GAPS];
	u32 nr_gaps;
};

/* All code of a function, malloc'd; NULL if it is not all there, or too much. */
u8 *callee_code(const struct synth *s, int fd, u64 start, u32 size);

/**
 * callee_init() - look at a function's code
 * @c: @c->good says that it is left by returns only, however it jumps about
 * @s: the file's functions
 * @fd: the file; borrowed
 * @start: link-time address
 * @reg: what it has to save
 */
void callee_init(struct callee *c, const struct synth *s, int fd, u64 start,
		 unsigned int reg);

/**
 * callee_meet() - learn from CFI where a function saves its register
 * @c: may become bad
 * @fde: any that is good, read with cfi_watch(cfi, c->reg)
 */
void callee_meet(struct callee *c, const struct cfi_fde *fde);

/* After the last FDE. */
void callee_finish(struct callee *c);

#endif /* USTACK_USER_SFRAME_SYNTH_CALLEE_H */
