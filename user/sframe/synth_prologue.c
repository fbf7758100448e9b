// SPDX-License-Identifier: GPL-2.0-only
/* Reads a function's prologue; see synth_prologue.h. supply/made.c calls it. */
#include "sframe/synth_prologue.h"

#include "sframe/x86_stack.h"

/* Whether an instruction of the body leaves SP where it is, or takes the frame down. */
static bool is_of_body(const struct x86_stack *x)
{
	s64 pushed;

	return x->effect == X86_RET || x->effect == X86_LEAVE || x->effect == X86_SP_BY_FP ||
	       (x86_stack_pushed(x, &pushed) && pushed <= 0);
}

bool synth_prologue_depth(const u8 *code, u32 len, u64 vaddr, u32 *ret)
{
	bool in_body = false;
	struct x86_insn insn;
	struct x86_stack x;
	s64 depth = 0, pushed;
	u32 at;

	for (at = 0; at < len; at += insn.len) {
		if (!x86_insn_read(code + at, len - at, vaddr + at, &insn))
			return false;
		x86_stack_read(code + at, &insn, &x);
		in_body |= insn.kind != X86_OTHER;
		if (in_body ? !is_of_body(&x) : !x86_stack_pushed(&x, &pushed))
			return false;
		if (!in_body)
			depth += pushed;
	}
	if (!in_body || depth <= 0 || depth & 7 || depth > INT16_MAX)
		return false;
	*ret = (u32)depth;
	return true;
}
