/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The true stack of a sample, from DWARF CFI by libdw of elfutils. libdw's guesses where there
 * is no CFI are not the truth: the chain ends before them.
 */
#ifndef GT_UNWIND_DW_H
#define GT_UNWIND_DW_H

#include "arch.h"
#include "procs.h"

#define DW_MAX_FRAMES 1024

enum dw_end {
	DW_OUTERMOST,		/* CFI says that there is no caller */
	DW_NO_FILE,		/* the pc is in no file of the record or this machine */
	DW_NO_CFI,		/* the file has no CFI for the pc */
	DW_STACK,		/* the next word is beyond the copied stack */
	DW_NO_RA,		/* there is no return address, or it is 0 or in no mapping */
	DW_LIMIT,		/* the chain has DW_MAX_FRAMES frames */
	DW_ERROR,		/* any other complaint of libdw */
	DW_ENDS
};

struct unwound {
	unsigned int count;
	unsigned int sigframes;	/* stepped over by this program, not by libdw */
	enum dw_end end;
	uint64_t pcs[DW_MAX_FRAMES];
	/* the frame was interrupted at the pc; otherwise it called before the pc */
	bool exact[DW_MAX_FRAMES];
	uint64_t sp[DW_MAX_FRAMES];	/* with DW_REGS; 0: unknown */
	uint64_t fp[DW_MAX_FRAMES];
	char error[128];
};

/* an address inside the call or instruction of frame I */
static inline uint64_t unwound_at(const struct unwound *u, unsigned int i)
{
	return u->pcs[i] - !u->exact[i];
}

const char *dw_end_name(enum dw_end end);

#define DW_GUESS 1u		/* accept libdw's steps by frame pointers in files */
#define DW_GUESS_ANY 2u		/* and in memory without a file: JIT code */
#define DW_REGS 4u		/* return each frame's SP and frame pointer */

void dw_unwind(const struct arch *arch, struct space *space,
	       const struct regs *regs, const uint8_t *stack, size_t stack_len,
	       unsigned int flags, struct unwound *ret);

/* what CFI says about an address (cfi_cache.h) */
unsigned int dw_cfi(struct space *space, uint64_t addr);

void dw_release(void);

#endif /* GT_UNWIND_DW_H */
