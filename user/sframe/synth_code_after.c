// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether another function may begin after a call of a function that returns. synth_code_prove.c
 * asks it where nothing else shows that the code after the call is the caller's.
 */
#include "sframe/synth_code_after.h"

#include "sframe/synth_code_saves.h"
#include "sframe/x86_regs.h"

/* Most instructions to read. Functions use their arguments early. */
#define MOST 8u

/* The mask of RCX, RSI, RDI and R8 to R11: after a call they hold neither a result nor what the caller
 * had in them.
 */
#define DESTROYED 0xfc2u

static u32 bit(unsigned int reg)
{
	return reg < X86_NO_REG ? 1u << reg : 0;
}

/* The mask of registers that the instruction is known to read. */
static u32 reads(const struct x86_regs *r)
{
	u32 mask = bit(r->base) | bit(r->index);

	switch (r->action) {
	case X86_COPIES:
	case X86_ADDS:
	case X86_COMPARES:
	case X86_GOES:
		mask |= bit(r->from);
	}
	return mask;
}

/* Whether the code reads a register that a call before it has destroyed: it is an argument. */
static bool reads_argument(const struct code_area *a, u32 off)
{
	u32 destroyed = DESTROYED, i;
	struct x86_insn insn;
	struct x86_regs r;

	for (i = 0; i < MOST && code_text_insn(a, a->first + off, &insn); i++, off += insn.len) {
		x86_regs_read(a->bytes + off, &insn, a->start + off, &r);
		if (r.action == X86_UNKNOWN)
			return false;
		if (reads(&r) & destroyed)
			return true;
		if (insn.kind != X86_OTHER)
			return false;
		destroyed &= ~(u32)r.writes;
	}
	return false;
}

bool code_after_may_be_other(struct code_flow *f, const struct code_step *s)
{
	u32 after = s->at + s->insn.len - s->area->first;
	u32 off = code_text_skip_padding(s->area, after);
	u16 flags;

	if (off >= s->area->size || reads_argument(s->area, off) ||
	    code_saves_registers(s->area, off))
		return true;
	flags = f->flags[s->area->first + off];
	return (off > after || flags & CODE_HINTED) && !(flags & CODE_JUMPED);
}
