/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to synth_saved.c: proves where a called function saves a register. */
#ifndef USTACK_USER_SFRAME_SYNTH_CALLEE_H
#define USTACK_USER_SFRAME_SYNTH_CALLEE_H

#include "sframe/cfi.h"
#include "sframe/synth.h"

/* Most bytes of a function at which the register is not saved yet, so that walks may end.
 * Prologues that save all six registers have less than 32.
 */
#define CALLEE_MAX_UNSAVED 64u
#define CALLEE_MAX_GAPS 4u
/* Most bytes of code that are decoded at a time; few functions have 64 KiB. */
#define CALLEE_MAX_CODE (256u << 10)
/* The function, and parts that compilers move away from it as unlikely. */
#define CALLEE_MAX_PARTS 3u

/**
 * struct callee_part - code with an FDE of its own
 * @start: link-time address
 * @size: number of bytes
 * @met: the FDE has been seen
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
 * @slot: the register is saved at CFA + @slot, which is negative
 * @parts: the function, and the parts that it jumps to
 * @nr_parts: number of @parts, at least 1
 * @gaps: ranges in which the register is not saved yet
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

/* Reads a function's code, malloc'd; NULL if it is incomplete or too long. */
u8 *callee_code(const struct synth *s, int fd, u64 start, u32 size);

/**
 * callee_init() - decode a function's code
 * @c: @c->good is set if it is left by returns only, however it jumps within its parts
 * @s: the file's functions
 * @fd: the file; borrowed
 * @start: link-time address of the function
 * @reg: the register that it has to save
 */
void callee_init(struct callee *c, const struct synth *s, int fd, u64 start,
		 unsigned int reg);

/**
 * callee_meet() - learn from CFI where a function saves its register
 * @c: becomes bad if @fde contradicts
 * @fde: any FDE with status CFI_GOOD, read after cfi_watch(cfi, c->reg)
 */
void callee_meet(struct callee *c, const struct cfi_fde *fde);

/* Called after the last FDE: @c->good is final then. */
void callee_finish(struct callee *c);

#endif /* USTACK_USER_SFRAME_SYNTH_CALLEE_H */
