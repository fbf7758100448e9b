// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads Go's AArch64 code: how a function sets up and removes its frame, where it writes SP
 * or FP, and where it loses its return address. synth_go.c calls it through go_aarch64.
 */
#include "sframe/synth_go_code.h"

#define FP 29
#define SP 31

#define INSN_STUR_FP 0xf81f83fdu	/* stur x29, [sp, #-8] */
#define INSN_SUB_FP 0xd10023fdu		/* sub x29, sp, #8 */
#define INSN_STP_X20 0xa93ffa9du	/* stp x29, x30, [x20, #-8] */
#define INSN_MOV_SP_X20 0x9100029fu	/* mov sp, x20 */
#define INSN_RET 0xd65f03c0u
#define INSN_UNDEF 0xbea71700u		/* written by Go's assembler for UNDEF */

static u32 insn_at(const struct go_code *c, u32 at)
{
	return at & 3 || at > c->len || c->len - at < 4 ? 0 : ustack_le32(c->bytes + at);
}

/* str x30, [sp, #-n]! */
static bool pushes_lr(u32 insn, u32 n)
{
	return (insn & 0xffe00fff) == 0xf8000ffe && (-(insn >> 12) & 0x1ff) == n;
}

/* sub sp, sp, #n */
static bool subtracts(u32 insn, u32 n)
{
	u32 imm = (insn >> 10) & 0xfff;

	return (insn & 0xff8003ff) == 0xd10003ff &&
	       (insn & 0x400000 ? imm << 12 : imm) == n;
}

static bool nothing_falls_through(u32 insn)
{
	return insn == INSN_RET || insn == INSN_UNDEF ||
	       (insn & 0x7c000000) == 0x14000000 ||	/* b; bl that never returns */
	       (insn & 0xff9ffc1f) == 0xd61f0000 ||	/* br, blr, ret */
	       (insn & 0xffe0001f) == 0xd4200000 ||	/* brk */
	       (insn & 0xffe0001f) == 0xd4000001 ||	/* svc: exit */
	       insn == 0xd503201f;			/* nop: padding */
}

/*
 * Frames of up to 240 bytes: str x30, [sp, #-n]!; stur x29, [sp, #-8]; sub x29, sp, #8.
 * Larger ones store both registers below a copy of SP, and then move the copy to SP.
 */
static struct go_frame opens(const struct go_code *c, u32 at, u32 delta)
{
	struct go_frame f = {
		.how = GO_OPENS, .fp_saved = GO_NEVER, .fp_set = GO_NEVER,
	};
	u32 insn = at < 4 ? 0 : insn_at(c, at - 4);

	if (pushes_lr(insn, delta)) {
		f.lr_saved = true;
		if (insn_at(c, at) == INSN_STUR_FP)
			f.fp_saved = at += 4;
	} else if (insn == INSN_MOV_SP_X20 && at >= 8 &&
		   insn_at(c, at - 8) == INSN_STP_X20) {
		f.lr_saved = true;
		f.fp_saved = at;
	} else if (!subtracts(insn, delta)) {
		f.how = nothing_falls_through(insn) ? GO_RESUMES : GO_NOT_PROVEN;
	}
	if (f.fp_saved != GO_NEVER && insn_at(c, at) == INSN_SUB_FP)
		f.fp_set = at + 4;
	return f;
}

/* add and sub of a constant to a register other than SP, and logic or extended operations */
static bool writes_sp(u32 insn)
{
	if ((insn & 31) != SP)
		return false;
	if ((insn & 0xbf800000) == 0x91000000)
		return ((insn >> 5) & 31) != SP;
	return (insn & 0xff800000) == 0x92000000 || (insn & 0xbfe00000) == 0x8b200000;
}

static bool sp_write(const struct go_code *c, u32 from, struct ustack_range *ret)
{
	u32 at;

	for (at = from; at + 4 <= c->len; at += 4) {
		if (!writes_sp(insn_at(c, at)) ||
		    (insn_at(c, at) == INSN_MOV_SP_X20 && at >= 4 &&
		     insn_at(c, at - 4) == INSN_STP_X20))
			continue;
		*ret = (struct ustack_range){ at, at + 4 };
		return true;
	}
	return false;
}

static bool is_blr(u32 insn)
{
	return (insn & 0xfffffc1f) == 0xd63f0000;
}

static u32 lost_lr(const struct go_code *c)
{
	u32 at;

	for (at = 0; at + 4 <= c->len; at += 4)
		if ((insn_at(c, at) & 0xfc000000) == 0x94000000 ||
		    is_blr(insn_at(c, at)))
			return at + 4;
	return GO_NEVER;
}

static bool calls(const struct go_code *c, u32 from, u32 to)
{
	u32 at;

	for (at = from; at < to; at += 4)
		if (is_blr(insn_at(c, at)))
			return true;
	return false;
}

/* Whether FP may be written; stores of FP count, too. */
static bool writes_fp(u32 insn)
{
	if ((insn & 0x1c000000) == 0x14000000)
		return false;	/* branches, system */
	if ((insn & 31) == FP)
		return true;
		/* loads of pairs, and instructions that write back to their base */
	return (insn & 0x0a000000) == 0x08000000 &&
	       (((insn & 0x3a000000) == 0x28000000 && ((insn >> 10) & 31) == FP) ||
		((insn >> 5) & 31) == FP);
}

static u32 fp_gone(const struct go_code *c, u32 from, u32 to)
{
	u32 at;

	for (at = from; at < to; at += 4)
		if (writes_fp(insn_at(c, at)))
			return at + 4;
	return GO_NEVER;
}

static u32 closing(const struct go_code *c, u32 at)
{
	return 4;
}

const struct go_arch go_aarch64 = {
	.opens = opens,
	.sp_write = sp_write,
	.lost_lr = lost_lr,
	.fp_gone = fp_gone,
	.calls = calls,
	.closing = closing,
};
