// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executes one instruction on a struct code_state, joins states, and turns a state into a
 * rule. synth_code_flow.c and its neighbours call it.
 */
#include "sframe/synth_code_state.h"

static const struct code_state lost = { .lost = 1 };

bool code_state_equal(struct code_state a, struct code_state b)
{
	return code_state_agree(a, b) && a.how == b.how && a.sp == b.sp &&
	       a.soft == b.soft && a.forked == b.forked;
}

/* If FP is saved, the rule reads the caller's FP from there, whether FP changed or not. */
static bool same_fp(struct code_state a, struct code_state b)
{
	return a.how == b.how ||
	       (a.slot && a.how != CODE_FP_FRAME && b.how != CODE_FP_FRAME);
}

bool code_state_agree(struct code_state a, struct code_state b)
{
	return same_fp(a, b) && a.lost == b.lost && a.fp == b.fp && a.slot == b.slot &&
	       (a.how == CODE_FP_FRAME || a.sp == b.sp);
}

struct code_state code_state_meet(struct code_state a, struct code_state b)
{
	bool called = a.called | b.called, soft = a.soft | b.soft;
	bool forked = a.forked | b.forked;

	if (!code_state_agree(a, b))
		a = lost;
	else if (a.sp != b.sp)
		a.sp = 0;
	else if (b.how == CODE_FP_OTHER)
		a.how = CODE_FP_OTHER;
	a.called = called;
	a.forked = forked;
	a.soft = soft && a.sp;
	return a;
}

bool code_state_is_entry(struct code_state s)
{
	return !s.lost && s.sp == 8 && s.how == CODE_FP_SAME;
}

bool code_state_rule(struct code_state s, struct ustack_rule *ret)
{
	bool by_fp = s.how == CODE_FP_FRAME;

	if (s.lost || (s.soft && !by_fp) || (by_fp ? s.fp : s.sp) & 7)
		return false;
	*ret = (struct ustack_rule){
		.cfa = by_fp ? USTACK_OP_FP : USTACK_OP_SP,
		.cfa_off = by_fp ? s.fp : (s32)s.sp,
		.ra = USTACK_OP_CFA | USTACK_OP_DEREF,
		.ra_off = -8,
	};
	if (s.slot) {
		ret->fp = USTACK_OP_CFA | USTACK_OP_DEREF;
		ret->fp_off = -(s32)s.slot;
	}
	return true;
}

static struct code_state lose_sp(struct code_state s)
{
	s.sp = 0;
	s.soft = 0;
	return s.how == CODE_FP_FRAME ? s : lost;
}

/* Bytes below SP are lost; if the return address is among them, so is the state. */
static struct code_state with_sp(struct code_state s, s64 sp)
{
	if (sp < 8)
		return lost;
	if (sp > CODE_MAX_FRAME)
		return lose_sp(s);
	s.sp = (u32)sp & 0xffffff;
	if (s.slot > sp && s.how != CODE_FP_SAME)
		return lost;
	if (s.slot > sp)
		s.slot = 0;
	return s;
}

static struct code_state push(struct code_state s, bool fp)
{
	u32 at = s.sp + 8;

	if (!s.sp)
		return s;
	if (fp && s.how == CODE_FP_SAME && !s.slot && at <= CODE_MAX_FP)
		s.slot = (u16)at;
	return with_sp(s, at);
}

/* FP is no longer the caller's: the state is known only if the caller's is saved. */
static struct code_state lose_fp(struct code_state s)
{
	if (!s.slot || !s.sp)
		return lost;
	s.how = CODE_FP_OTHER;
	s.fp = 0;
	return s;
}

/* FP = the word at CFA - @at */
static struct code_state load_fp(struct code_state s, s64 at)
{
	if (!s.slot || at != s.slot)
		return lose_fp(s);
	if (!s.sp)
		return lost;
	s.how = CODE_FP_SAME;
	s.fp = 0;
	return s;
}

static struct code_state pop_fp(struct code_state s)
{
	u32 at = s.sp;

	if (!at)
		return lost;
	/* the code itself expects the saved FP here, so SP is right */
	if (s.how == CODE_FP_FRAME && s.slot == at)
		s.soft = 0;
	s = load_fp(s, at);
	return s.lost ? s : with_sp(s, (s64)at - 8);
}

static struct code_state sp_by_fp(struct code_state s, s64 off)
{
	if (s.how != CODE_FP_FRAME)
		return lost;
	s.soft = 0;
	return with_sp(s, s.fp - off);
}

static struct code_state fp_by_sp(struct code_state s, s64 off)
{
	/* FP points to a frame record; any other value is used for something else */
	if (!s.slot || !s.sp || (s64)s.sp - off != CODE_RECORD || s.slot != CODE_RECORD)
		return lose_fp(s);
	s.how = CODE_FP_FRAME;
	s.fp = CODE_RECORD;
	return s;
}

/* Distance from the CFA down to the base of a memory operand; 0: unknown. */
static u32 base_of(struct code_state s, const struct x86_stack *x)
{
	if (x->base == X86_AT_SP)
		return s.sp;
	return x->base == X86_AT_FP && s.how == CODE_FP_FRAME ? s.fp : 0;
}

/* Whether a store may be to the word at CFA - @word. */
static bool hits(struct code_state s, const struct x86_stack *x, s64 word)
{
	s64 at = (s64)x->at - base_of(s, x);

	return base_of(s, x) && at < 8 - word && at + (s64)x->stores > -word;
}

/* Whether it overwrites the return address, or the caller's FP while only memory has it. */
static bool overwrites(struct code_state s, const struct x86_stack *x)
{
	return x->stores && (hits(s, x, 8) || (s.slot && hits(s, x, s.slot)));
}

bool code_state_leaves(struct code_state s, const struct x86_stack *x)
{
	if (s.lost || s.how != CODE_FP_FRAME)
		return false;
	switch (x->effect) {
	case X86_POP_FP:
		return s.sp == s.slot;
	case X86_LEAVE:
		return s.fp == s.slot;
	case X86_LOAD_FP:
		return base_of(s, x) && (s64)base_of(s, x) - x->at == s.slot;
	}
	return false;
}

static struct code_state effect(struct code_state s, const struct x86_stack *x)
{
	u32 base = base_of(s, x);

	switch (x->effect) {
	case X86_NONE:
	case X86_RET:
		return s;
	case X86_PUSH:
	case X86_PUSH_FP:
		return push(s, x->effect == X86_PUSH_FP);
	case X86_POP:
		return s.sp ? with_sp(s, (s64)s.sp - 8) : s;
	case X86_POP_FP:
		return pop_fp(s);
	case X86_ADD_SP:
		return s.sp ? with_sp(s, (s64)s.sp - x->off) : s;
	case X86_SP_BY_FP:
		return sp_by_fp(s, x->off);
	case X86_FP_BY_SP:
		return fp_by_sp(s, x->off);
	case X86_LOAD_FP:
		return base ? load_fp(s, (s64)base - x->at) : lose_fp(s);
	case X86_LEAVE:
		return pop_fp(sp_by_fp(s, 0));
	case X86_LOSE_SP:
		return lose_sp(s);
	case X86_LOSE_FP:
		return lose_fp(s);
	case X86_SYSCALL:
		s.soft = s.sp != 0;
		return s;
	}
	return lost;
}

struct code_state code_state_step(struct code_state s, const struct x86_insn *insn,
				  const struct x86_stack *x)
{
	bool called = s.called, forked = s.forked;

	if (s.lost || overwrites(s, x))
		s = lost;
	else if (insn->kind != X86_CALL)
		s = effect(s, x);
	/* a called function pops what the call has pushed */
	s.called = called || insn->kind == X86_CALL || x->effect == X86_SYSCALL;
	s.forked = x->effect == X86_SYSCALL || (forked && insn->kind != X86_CALL);
	s.soft |= insn->kind == X86_CALL && s.sp;
	return s;
}
