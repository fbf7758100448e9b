/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the CFI reader: the interpreter of call frame programs. One pass over
 * the program's bytes makes all rows of an FDE.
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
 * struct cfi_cie - the part of a CIE that its FDEs need
 * @offset: offset of the CIE in the section
 * @loss: why the CIE cannot be used, or empty
 * @code_align: factor of advances
 * @data_align: factor of offsets
 * @ra_reg: DWARF number of the return address column
 * @encoding: DW_EH_PE_* of its FDEs' addresses
 * @sized: the FDEs have augmentation data, with a length before it
 * @signal: the FDEs describe signal frames
 * @program: offset of the initial instructions in the section
 * @program_end: offset of the end of the initial instructions
 * @initial: the rules after the initial instructions
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
 * struct cfi_rows - a buffer of rows, used again for each FDE
 * @rows: array of @room entries
 * @nr: number of entries in use
 * @room: number of allocated entries; grows to the rows of the largest FDE
 */
struct cfi_rows {
	struct cfi_row *rows;
	u32 nr;
	u32 room;
};

/**
 * cfi_run_cie() - run the initial instructions
 * @s: the section
 * @arch: names SP and FP, and allows the instructions of one architecture only
 * @cie: @cie->initial and @cie->loss are written
 */
void cfi_run_cie(const struct cfi_section *s, const struct ustack_arch *arch,
		 struct cfi_cie *cie);

/**
 * cfi_run_fde() - run an FDE's instructions
 * @s: the section
 * @arch: as for the CIE
 * @cie: the FDE's CIE, not lost
 * @program: cursor over the instructions
 * @start: link-time address of the function
 * @end: link-time end of the function, above @start
 * @ret: receives the rows
 * @loss: receives the reason if the FDE is lost
 *
 * Return: false if the FDE is lost.
 */
bool cfi_run_fde(const struct cfi_section *s, const struct ustack_arch *arch,
		 const struct cfi_cie *cie, const struct ustack_cursor *program,
		 u64 start, u64 end, struct cfi_rows *ret,
		 struct cfi_loss *loss);

#endif /* USTACK_USER_SFRAME_CFI_RUN_H */
