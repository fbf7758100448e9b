/* SPDX-License-Identifier: GPL-2.0-only */
/* What DWARF says of a frame's caller: libdw's row, evaluated in a process. */
#ifndef USTACK_STEPJUDGE_ANSWER_H
#define USTACK_STEPJUDGE_ANSWER_H

#include <elfutils/libdw.h>

#include "process.h"

/* Of one register: libdw's dwarf_frame_register(). */
struct row_register {
	Dwarf_Op mem[3];
	Dwarf_Op *ops;
	size_t nr;
	bool failed;
};

/**
 * struct row - what libdw says of [start, end)
 * @frame: libdw's
 * @start: link-time address
 * @end: the first address behind
 * @signal: the caller was interrupted
 * @cfa: its expression
 * @nr_cfa: of @cfa; 0 if there is no CFA
 * @ra_reg: the column of the return address
 * @ra: the return address, ...
 * @sp: and the caller's registers
 * @fp: likewise
 * @fp_popped: @fp is below SP, where the register was popped from: see row_slots_follow()
 * @ra_popped: likewise
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

/* Asks libdw; on failure the cause is dwarf_errmsg(-1). */
bool row_find(struct row *r, Dwarf_CFI *cfi, const struct ustack_arch *arch, u64 pc);
void row_release(struct row *r);

/* Whether the return address is above the CFA, in what somebody else has pushed: no
 * function's is but that of glibc's AArch64 resolver (user/sframe/synth_mend.h).
 */
bool row_ra_above_cfa(const struct row *r);

/**
 * struct row_slots - where an entry's rows so far have FP and RA, from the CFA
 * @fp: by the last row that does not have it below SP; 0 if it is not on the stack
 * @ra: likewise
 */
struct row_slots {
	s64 fp;
	s64 ra;
};

/**
 * row_slots_follow() - find out what a row says of registers that were popped
 * @s: of the entry's rows in front; zeros in front of the first
 * @r: @r->fp_popped and @r->ra_popped are written
 * @arch: of the code
 *
 * CFI has a register below SP at a return, in the slot that an epilogue has popped it from.
 * Then its value is in the register, and what DWARF finds in memory is luck.
 */
void row_slots_follow(struct row_slots *s, struct row *r, const struct ustack_arch *arch);

/**
 * struct answer - the caller by DWARF
 * @unable: why there is none, or NULL
 * @outermost: the return address is undefined: there is no caller
 * @no_cfa: there is nothing from which to go on
 * @in_register: the return address is in a register: AArch64's link register, or any
 * @any_fp: the caller's frame pointer is undefined, so that every one is right
 * @cfa: the canonical frame address
 * @pc: of the caller, without a signature
 * @sp: likewise
 * @fp: likewise
 * @used: bit n: register n was read for it
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
