// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes the instructions of prologues and epilogues, of x86, x86-64 and arm64, for
 * unwind_edge.c. All others are INSN_OTHER.
 */
#include "darwin/insn.h"

#include <endian.h>
#include <string.h>

#include "util/poison.h"

#define SP_64 4u	/* SP's number in instructions */
#define D0 64u

static void x86_set(struct insn *i, enum insn_kind kind, unsigned int len)
{
	i->kind = kind;
	i->len = len;
}

/* Converts an instruction's register number to System V's, which is different on x86-64. */
static unsigned int x86_reg(bool wide, unsigned int number)
{
	static const uint8_t low[8] = { 0, 2, 1, 3, 7, 6, 4, 5 };

	return wide && number < 8 ? low[number] : number;
}

static int32_t le32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return (int32_t)le32toh(v);
}

/* push and pop, with or without the prefix of the upper eight registers */
static bool x86_push_pop(bool wide, const uint8_t *p, size_t left, struct insn *i)
{
	unsigned int prefix = wide && left > 1 && p[0] == 0x41, op = p[prefix] & 0xf8;

	if (op != 0x50 && op != 0x58)
		return false;
	if (!prefix && (p[0] & 7) == SP_64)
		return false;
	x86_set(i, op == 0x50 ? INSN_PUSH : INSN_POP, 1 + prefix);
	i->reg = x86_reg(wide, (p[prefix] & 7) + 8 * prefix);
	return true;
}

/* @p: after the prefix */
static bool x86_lea(unsigned int prefix, const uint8_t *p, size_t left, struct insn *i)
{
	if (p[1] == 0x64) {
		x86_set(i, INSN_SP, prefix + 4);
		i->n = (int8_t)p[3];
	} else if (p[1] == 0xa4 && left >= 7) {
		x86_set(i, INSN_SP, prefix + 7);
		i->n = le32(p + 3);
	}
	return i->kind == INSN_SP;
}

/* mov between SP and FP, and add to or sub from SP; in 64-bit code they have REX.W */
static bool x86_sp_fp(bool wide, const uint8_t *p, size_t left, struct insn *i)
{
	unsigned int prefix = wide;
	int32_t n;

	if (left < prefix + 2 || (wide && p[0] != 0x48))
		return false;
	p += prefix;
	left -= prefix;
	if ((p[0] == 0x89 && p[1] == 0xe5) || (p[0] == 0x8b && p[1] == 0xec)) {
		x86_set(i, INSN_SET_FP, prefix + 2);
		return true;
	}
	/* lea n(SP),SP, which does not change the flags */
	if (p[0] == 0x8d && left >= 4 && (p[1] & 0x3f) == 0x24 && p[2] == 0x24)
		return x86_lea(prefix, p, left, i);
	if (p[1] != 0xec && p[1] != 0xc4)
		return false;
	if (p[0] == 0x83 && left >= 3)
		n = (int8_t)p[2];
	else if (p[0] == 0x81 && left >= 6)
		n = le32(p + 2);
	else
		return false;
	if (p[1] == 0xec && __builtin_sub_overflow(0, n, &n))
		return false;
	x86_set(i, INSN_SP, prefix + (p[0] == 0x83 ? 3 : 6));
	i->n = n;
	return true;
}

static void x86_leave(const uint8_t *p, size_t left, struct insn *i)
{
	switch (p[0]) {
	case 0xc9:
		x86_set(i, INSN_LEAVE, 1);
		return;
	case 0xc3:
		x86_set(i, INSN_RETURN, 1);
		return;
	case 0xc2:
		if (left >= 3)
			x86_set(i, INSN_RETURN, 3);
		return;
	case 0xeb:
		if (left >= 2) {
			x86_set(i, INSN_JUMP, 2);
			i->n = 2 + (int8_t)p[1];
		}
		return;
	case 0xe9:
		if (left >= 5 && !__builtin_add_overflow(le32(p + 1), 5, &i->n))
			x86_set(i, INSN_JUMP, 5);
		return;
	case 0xe8:
		if (left >= 5)
			x86_set(i, INSN_CALL, 5);
		return;
	case 0xff:
		/* /4 and /2; their length does not matter, as nothing after them is read */
		if (left >= 2 && (p[1] >> 3 & 7) == 4)
			x86_set(i, INSN_JUMP_REG, 2);
		else if (left >= 2 && (p[1] >> 3 & 7) == 2)
			x86_set(i, INSN_CALL, 2);
		return;
	}
}

void insn_read_x86(bool wide, const uint8_t *p, size_t left, struct insn *ret)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e }, vzeroupper[] = { 0xc5, 0xf8, 0x77 };

	*ret = (struct insn){ .kind = INSN_OTHER };
	if (!left)
		return;
	if (left >= 4 && !memcmp(p, endbr, 3) && (p[3] & 0xfe) == 0xfa)
		x86_set(ret, INSN_NOTHING, 4);
	else if (left >= 3 && !memcmp(p, vzeroupper, 3))
		x86_set(ret, INSN_NOTHING, 3);
	else if (!x86_push_pop(wide, p, left, ret) && !x86_sp_fp(wide, p, left, ret))
		x86_leave(p, left, ret);
	/* jmp *r8 to *r15, and such calls, have a prefix */
	if (!ret->kind && wide && left >= 3 && (p[0] & 0xf0) == 0x40 && p[1] == 0xff) {
		x86_leave(p + 1, left - 1, ret);
		ret->len++;
	}
}

/* The @bits bits of @v from @shift on, sign-extended. */
static int32_t field(uint32_t v, unsigned int shift, unsigned int bits)
{
	return (int32_t)(v << (32 - shift - bits)) >> (32 - bits);
}

/* ldp and stp of x and d registers relative to SP: with an offset, pre- or post-indexed */
static bool arm64_pair(uint32_t v, struct insn *i)
{
	unsigned int d = (v & 0xfc000000) == 0x6c000000 ? D0 : 0;
	enum insn_kind kind = v & 0x400000 ? INSN_LOAD : INSN_STORE;
	unsigned int mode = v >> 23 & 7;
	int32_t off = 8 * field(v, 15, 7);

	if ((v & 0x3e0) != 0x3e0 || (!d && (v & 0xfc000000) != 0xa8000000))
		return false;
	/* 1: post-indexed, 2: offset, 3: pre-indexed */
	if (!mode || mode > 3 || mode == (kind == INSN_LOAD ? 3 : 1))
		return false;
	*i = (struct insn){
		.kind = kind, .len = 4,
		.reg = (v & 31) + d, .other = (v >> 10 & 31) + d,
		.at = mode == 2 ? off : 0, .n = mode == 2 ? 0 : off,
	};
	return true;
}

/* ldr and str of one register */
static bool arm64_single(uint32_t v, struct insn *i)
{
	struct insn single = { .len = 4, .reg = (v & 31) + (v & 0x04000000 ? D0 : 0) };
	uint32_t op = v & ~0x04000000u;

	if ((op & 0xffc003e0) == 0xf90003e0 || (op & 0xffc003e0) == 0xf94003e0) {
		single.kind = op & 0x400000 ? INSN_LOAD : INSN_STORE;
		single.at = 8 * (int32_t)(v >> 10 & 0xfff);
	} else if ((op & 0xffe00fe0) == 0xf8000fe0 || (op & 0xffe00fe0) == 0xf84007e0) {
		single.kind = op & 0x400000 ? INSN_LOAD : INSN_STORE;
		single.n = field(v, 12, 9);
	} else {
		return false;
	}
	*i = single;
	return true;
}

static bool arm64_add(uint32_t v, struct insn *i)
{
	int32_t n = (int32_t)(v >> 10 & 0xfff) << (v & 0x400000 ? 12 : 0);

	switch (v & 0xff8003ff) {
	case 0xd10003ff:
		n = -n;
		/* fall through */
	case 0x910003ff:
		i->kind = INSN_SP;
		break;
	case 0x910003fd:
		i->kind = INSN_SET_FP;
		break;
	default:
		return false;
	}
	i->n = n;
	return true;
}

static enum insn_kind arm64_whole(uint32_t v)
{
	switch (v) {
	case 0xd503201f:	/* nop */
	case 0xd503233f:	/* paciasp */
	case 0xd503237f:	/* pacibsp */
	case 0xd50323bf:	/* autiasp */
	case 0xd50323ff:	/* autibsp */
	case 0xd503231f:	/* paciaz */
	case 0xd503235f:	/* pacibz */
	case 0xd503239f:	/* autiaz */
	case 0xd50323df:	/* autibz */
	case 0xd50320ff:	/* xpaclri */
	case 0xdac103fe:	/* pacia x30, sp */
	case 0xdac107fe:	/* pacib x30, sp */
	case 0xdac113fe:	/* autia x30, sp */
	case 0xdac117fe:	/* autib x30, sp */
	case 0xdac133fe:	/* autiza x30 */
	case 0xdac137fe:	/* autizb x30 */
	case 0xdac143fe:	/* xpaci x30 */
	case 0xd503241f:	/* bti */
	case 0xd503245f:
	case 0xd503249f:
	case 0xd50324df:
		return INSN_NOTHING;
	case 0xd65f03c0:	/* ret */
	case 0xd65f0bff:	/* retaa */
	case 0xd65f0fff:	/* retab */
		return INSN_RETURN;
	}
	return INSN_OTHER;
}

/*
 * Instructions between the restore of the link register and a tail call: LLVM's checks of the
 * authenticated address (an eor and a test of bit 62, a cmp with the stripped address, a load
 * through it), and the computation of a target and a discriminator in x16 and x17. The frame
 * is the same before and after them, whether a branch is taken or not.
 */
static bool arm64_scratch(uint32_t v)
{
	unsigned int to = v & 31;
	bool ip = to == 16 || to == 17;

	/* data processing of constants (adrp, mov, movk, add) and registers (eor, aut, xpac) */
	if (ip && ((v >> 26 & 7) == 4 || (v >> 25 & 7) == 5))
		return true;
	/* ldr of w and x */
	if (ip && (v & 0xbfc00000) == 0xb9400000)
		return true;
	return (v & 0xff20001f) == 0xeb00001f ||	/* cmp */
	       (v & 0xff00001e) == 0x54000000 ||	/* b.eq, b.ne */
	       (ip && (v & 0x7e000000) == 0x36000000) || /* tbz, tbnz */
	       (v & 0xffffff9f) == 0xd4388e00;		/* brk #0xc470 to #0xc473 */
}

static enum insn_kind arm64_branch(uint32_t v)
{
	/* br and blr: plain, authenticated with a register, or with zero */
	uint32_t op = v & ~0x00200000u;

	if ((v & 0xfc000000) == 0x94000000)
		return INSN_CALL;
	if ((op & 0xfffffc1f) == 0xd61f0000 || (op & 0xfffff800) == 0xd71f0800 ||
	    (op & 0xfffff81f) == 0xd61f081f)
		return v & 0x00200000 ? INSN_CALL : INSN_JUMP_REG;
	return INSN_OTHER;
}

void insn_read_arm64(const uint8_t *p, size_t left, struct insn *ret)
{
	uint32_t v;

	*ret = (struct insn){ .kind = INSN_OTHER };
	if (left < 4)
		return;
	v = (uint32_t)le32(p);
	ret->kind = arm64_whole(v);
	ret->len = 4;
	if (ret->kind || arm64_pair(v, ret) || arm64_single(v, ret) || arm64_add(v, ret))
		return;
	*ret = (struct insn){ .len = 4 };
	if ((v & 0xfc000000) == 0x14000000) {
		ret->kind = INSN_JUMP;
		ret->n = 4 * field(v, 0, 26);
		return;
	}
	ret->kind = arm64_branch(v);
	if (!ret->kind && arm64_scratch(v))
		ret->kind = INSN_SCRATCH;
}
