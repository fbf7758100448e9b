/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sample's true stack, from DWARF CFI by elfutils' libdw. libdw's guesses
 * where there is no CFI are not the truth: such a chain ends before them.
 */
#ifndef GT_UNWIND_DW_H
#define GT_UNWIND_DW_H

#include "arch.h"
#include "procs.h"

#define DW_MAX_FRAMES 1024

enum dw_end {
	DW_OUTERMOST,		/* CFI says that there is no caller */
	DW_NO_FILE,		/* the pc is in no file that is here */
	DW_NO_CFI,		/* the file says nothing about the pc */
	DW_STACK,		/* beyond the copied stack */
	DW_NO_RA,		/* no return address, or zero */
	DW_LIMIT,		/* DW_MAX_FRAMES */
	DW_ERROR,		/* anything else that libdw complains about */
	DW_ENDS
};

struct unwound {
	unsigned int count;
	unsigned int sigframes;	/* stepped over by the tool, not by libdw */
	enum dw_end end;
	uint64_t pcs[DW_MAX_FRAMES];
	bool exact[DW_MAX_FRAMES];	/* interrupted at the pc; else called before it */
	uint64_t sp[DW_MAX_FRAMES];	/* with DW_REGS; 0: not known */
	uint64_t fp[DW_MAX_FRAMES];
	char error[128];
};

/* an address in the call or the instruction that frame I stands for */
static inline uint64_t unwound_at(const struct unwound *u, unsigned int i)
{
	return u->pcs[i] - !u->exact[i];
}

const char *dw_end_name(enum dw_end end);

#define DW_GUESS 1u		/* believe libdw's steps by frame pointers, in files */
#define DW_GUESS_ANY 2u		/* and in memory of no file: JIT code */
#define DW_REGS 4u		/* give each frame's SP and frame pointer */

void dw_unwind(const struct arch *arch, struct space *space,
	       const struct regs *regs, const uint8_t *stack, size_t stack_len,
	       unsigned int flags, struct unwound *ret);

/* what CFI says about an address (cfi_cache.h) */
unsigned int dw_cfi(struct space *space, uint64_t addr);

void dw_release(void);

#endif /* GT_UNWIND_DW_H */
