/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside the CFI reader: the interpreter of call frame programs. One pass over
 * the program's bytes gives all rows of an FDE.
 */
#ifndef USTACK_USER_SFRAME_CFI_RUN_H
#define USTACK_USER_SFRAME_CFI_RUN_H

#include "sframe/cfi.h"
#include "sframe/cfi_read.h"

/* The columns of a row that are tracked. */
struct cfi_regs {
	struct cfi_rule cfa;
	struct cfi_rule ra;
	struct cfi_rule fp;
	struct cfi_rule sp;
};

/**
 * struct cfi_cie - what a CIE says to its FDEs
 * @offset: of the entry
 * @loss: it cannot be used, and why
 * @code_align: factor of advances
 * @data_align: factor of offsets
 * @ra_reg: DWARF number of the return address column
 * @encoding: DW_EH_PE_* of its FDEs' addresses
 * @sized: its FDEs have augmentation data with a length in front
 * @signal: its FDEs are of signal frames
 * @program: offset of the initial instructions
 * @program_end: and of their end
 * @initial: the rules after them
 */
struct cfi_cie {
	u64 offset;
	struct cfi_loss loss;
	u64 code_align;
	s64 data_align;
	u16 ra_reg;
	u8 encoding;
	bool sized;
	bool signal;
	u32 program;
	u32 program_end;
	struct cfi_regs initial;
};

/**
 * struct cfi_rows - a buffer that is used again for each FDE
 * @rows: @room of them
 * @nr: in use
 * @room: grows to what the largest FDE needs
 */
struct cfi_rows {
	struct cfi_row *rows;
	u32 nr;
	u32 room;
};

/**
 * cfi_run_cie() - run the initial instructions
 * @s: the section
 * @arch: for SP, FP, and the instructions of one architecture only
 * @cie: @cie->initial and @cie->loss are written
 */
void cfi_run_cie(const struct cfi_section *s, const struct ustack_arch *arch,
		 struct cfi_cie *cie);

/**
 * cfi_run_fde() - run an FDE's instructions
 * @s: the section
 * @arch: as for the CIE
 * @cie: not lost
 * @program: the instructions
 * @start: of the FDE
 * @end: above @start
 * @ret: the rows
 * @loss: why not
 *
 * Return: false if the FDE is lost.
 */
bool cfi_run_fde(const struct cfi_section *s, const struct ustack_arch *arch,
		 const struct cfi_cie *cie, const struct ustack_cursor *program,
		 u64 start, u64 end, struct cfi_rows *ret,
		 struct cfi_loss *loss);

#endif /* USTACK_USER_SFRAME_CFI_RUN_H */
