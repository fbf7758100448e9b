/* SPDX-License-Identifier: GPL-2.0-only */
/* The caller of a frame by DWARF: libdw's row, evaluated in a process. */
#ifndef USTACK_STEPJUDGE_ANSWER_H
#define USTACK_STEPJUDGE_ANSWER_H

#include <elfutils/libdw.h>

#include "process.h"

/* The rule of one register, from libdw's dwarf_frame_register(). */
struct row_register {
	Dwarf_Op mem[3];
	Dwarf_Op *ops;
	size_t nr;
	bool failed;
};

/**
 * struct row - libdw's row for [start, end)
 * @frame: libdw's handle of the row
 * @start: link-time address
 * @end: address after the last one
 * @signal: the caller was interrupted
 * @cfa: expression of the CFA
 * @nr_cfa: number of operations in @cfa; 0 if there is no CFA
 * @ra_reg: the column of the return address
 * @ra: rule of the return address
 * @sp: rule of the caller's SP
 * @fp: rule of the caller's FP
 * @fp_popped: @fp is below SP, where the register was popped from: see row_slots_follow()
 * @ra_popped: the same for @ra
 */
struct row {
	Dwarf_Frame *frame;
	u64 start;
	u64 end;
	bool signal;
	Dwarf_Op *cfa;
	size_t nr_cfa;
	int ra_reg;
	struct row_register ra;
	struct row_register sp;
	struct row_register fp;
	bool fp_popped;
	bool ra_popped;
};

/* Gets the row from libdw; on failure the cause is dwarf_errmsg(-1). */
bool row_find(struct row *r, Dwarf_CFI *cfi, const struct ustack_arch *arch, u64 pc);
void row_release(struct row *r);

/*
 * Whether the return address is above the CFA, in a word that another function has pushed: this
 * is so only in glibc's AArch64 resolver (user/sframe/synth_fixup.h).
 */
bool row_ra_above_cfa(const struct row *r);

/**
 * struct row_slots - offsets of FP and RA from the CFA in an entry's rows so far
 * @fp: from the last row that does not have FP below SP; 0 if FP is not on the stack
 * @ra: from the last row that does not have RA below SP; 0 if RA is not on the stack
 */
struct row_slots {
	s64 fp;
	s64 ra;
};

/**
 * row_slots_follow() - find out what a row says about popped registers
 * @s: from the entry's rows before this one; zeros before the first
 * @r: @r->fp_popped and @r->ra_popped are written
 * @arch: architecture of the code
 *
 * At a return, CFI has a register below SP, in the slot that an epilogue has popped it from.
 * Its value is in the register then, and the memory that DWARF names may have changed.
 */
void row_slots_follow(struct row_slots *s, struct row *r, const struct ustack_arch *arch);

/**
 * struct answer - the caller by DWARF
 * @unable: why there is no answer, or NULL
 * @outermost: the return address is undefined: there is no caller
 * @no_cfa: there is no CFA, so no step is possible
 * @in_register: the return address is in a register: AArch64's link register, or any
 * @any_fp: the caller's frame pointer is undefined, so that every value is right
 * @cfa: the canonical frame address
 * @pc: pc of the caller, without a signature
 * @sp: SP of the caller
 * @fp: FP of the caller
 * @used: bit n: register n was read for the answer
 */
struct answer {
	const char *unable;
	bool outermost;
	bool no_cfa;
	bool in_register;
	bool any_fp;
	u64 cfa;
	u64 pc;
	u64 sp;
	u64 fp;
	u64 used;
};

void answer_find(struct answer *a, const struct row *r, struct process *p);

#endif /* USTACK_STEPJUDGE_ANSWER_H */
