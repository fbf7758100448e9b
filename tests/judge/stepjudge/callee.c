// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks rules for the last byte of a call by what libdw says about the called function
 * (callee.h).
 */
#include "callee.h"

#include <stdlib.h>

#include "expr.h"

/* Any address far from 0 and from the end. */
#define SOME_CFA 0x400000000000ull

/* The target of a call that ends at @pc; 0 if there is no call. */
static u64 call_target(const struct judge *j, u64 pc)
{
	const struct process_text *t;
	unsigned int i;
	const u8 *insn;
	s32 rel;

	for (i = 0; i < j->p.nr_text; i++) {
		t = &j->text[i];
		if (pc < t->start + 4 || pc >= t->end)
			continue;
		insn = t->bytes + (pc - 4 - t->start);
		memcpy(&rel, insn + 1, sizeof(rel));
		return *insn == 0xe8 ? pc + 1 + (u64)(s64)rel : 0;
	}
	return 0;
}

static const struct fde *find_fde(const struct fdes *f, u64 start)
{
	const struct fde *fde;

	for (fde = f->all; fde < f->all + f->nr; fde++)
		if (fde->start == start)
			return fde;
	return NULL;
}

static bool note_address(void *arg, uint64_t addr, uint64_t *ret)
{
	*(u64 *)arg = addr;
	*ret = 0;
	return true;
}

/* Offset from the CFA of the place where the row saves @reg; 0 if it does not save it. */
static s64 saved_at(Dwarf_Frame *frame, unsigned int reg)
{
	u64 regs[PROCESS_REGS] = { 0 }, at = 0, value;
	struct expr_frame f = {
		.regs = regs, .nr_regs = 17, .read = note_address, .arg = &at,
		.cfa = SOME_CFA, .has_cfa = true,
	};
	Dwarf_Op mem[3], *ops;
	size_t nr;

	if (dwarf_frame_register(frame, (int)reg, mem, &ops, &nr) || !nr ||
	    expr_object(&f, ops, nr, &value) || !at)
		return 0;
	return (s64)(at - SOME_CFA);
}

/* Whether a walk can come from this address. */
static bool has_rule(const struct judge *j, u64 start, u64 end)
{
	const struct ustack_table *t = j->section.table;
	const struct ustack_rule *rule;

	for (; start < end; start++) {
		rule = ustack_lookup(t, start - t->base);
		if (!rule)
			return true;	/* the module guesses there */
		if (!steps_shall_end(j, rule))
			return true;
	}
	return false;
}

bool callee_of(struct judge *j, const struct ustack_rule *rule, u64 pc,
	       unsigned int reg, s64 *slot)
{
	const struct fde *fde;
	Dwarf_Addr start, end;
	Dwarf_Frame *frame;
	bool signal;
	u64 at;
	s64 off;

	*slot = 0;
	if (rule->cfa != (USTACK_OP_SP | USTACK_OP_DEREF) || rule->cfa_off >= 0)
		return false;
	fde = find_fde(&j->fdes, call_target(j, pc));
	for (at = fde ? fde->start : 0; fde && at < fde->end; at = end) {
		if (dwarf_cfi_addrframe(fde->cfi, at, &frame))
			return false;
		dwarf_frame_info(frame, &start, &end, &signal);
		off = saved_at(frame, reg);
		free(frame);
		if (end <= at || signal)
			return false;
		if (!has_rule(j, at, end < fde->end ? end : fde->end))
			continue;
		if (!off || (*slot && *slot != off))
			return false;
		*slot = off;
	}
	return *slot;
}
