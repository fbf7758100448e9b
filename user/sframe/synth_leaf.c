// SPDX-License-Identifier: GPL-2.0-only
/* Decodes AArch64 instructions just enough to see whether they write SP, FP or LR. */
#include "sframe/synth_leaf.h"

#define FP 29
#define LR 30
#define SP 31

static u32 field(u32 insn, unsigned int at)
{
	return (insn >> at) & 31;
}

/* FP or LR. 31 is the zero register, or SP in instructions that callers know. */
static bool is_ours(u32 reg)
{
	return reg == FP || reg == LR;
}

static bool keeps_immediate(u32 insn)
{
	if (is_ours(field(insn, 0)))
		return false;
	if (field(insn, 0) != SP)
		return true;
	/* add, sub; and, orr, eor; those that set flags have no SP */
	return !((insn & 0x3f000000) == 0x11000000 ||
		 ((insn & 0x1f800000) == 0x12000000 &&
		  (insn & 0x60000000) != 0x60000000));
}

static bool keeps_register(u32 insn)
{
	if (is_ours(field(insn, 0)))
		return false;
	/* add, sub of an extended register; irg */
	return field(insn, 0) != SP || !((insn & 0x3fe00000) == 0x0b200000 ||
					 (insn & 0xffe0fc00) == 0x9ac01000);
}

static bool keeps_system(u32 insn)
{
	return (insn & 0xfffff01f) == 0xd503201f || /* hints */
	       (insn & 0xfffff01f) == 0xd503301f || /* barriers */
	       (insn & 0xffe0001f) == 0xd4000001 || /* svc */
	       (insn & 0xffe0001f) == 0xd4200000 || /* brk */
	       ((insn & 0xfff00000) == 0xd5300000 && /* mrs */
		!is_ours(field(insn, 0)));
}

static bool keeps_branch(u32 insn)
{
	return (insn & 0xfc000000) == 0x14000000 || /* b */
	       (insn & 0xff000000) == 0x54000000 || /* b.cond */
	       (insn & 0x7c000000) == 0x34000000 || /* cbz, tbz */
	       (insn & 0xfffffc1f) == 0xd61f0000 || /* br */
	       insn == 0xd65f03c0 ||		    /* ret */
	       (insn & 0xfffffbff) == 0xd65f0bff || /* retaa, retab */
	       keeps_system(insn);
}

static bool keeps_memory(u32 insn)
{
	bool literal = (insn & 0x3b000000) == 0x18000000;
	bool pair = (insn & 0x3a000000) == 0x28000000;
	bool exclusive = (insn & 0x3f000000) == 0x08000000;

	/* copies, tags, ld64b: several registers are written */
	if ((insn & 0x3b000000) == 0x19000000 ||
	    (insn & 0xfffffc00) == 0xf83fd000)
		return false;
	return !is_ours(field(insn, 0)) && (literal || field(insn, 5) < FP) &&
	       !((pair || exclusive) && is_ours(field(insn, 10))) &&
	       /* casp writes pairs: x28 stands for x29 too */
	       !(exclusive && field(insn, 16) >= FP - 1 &&
		 field(insn, 16) <= LR);
}

bool leaf_keeps(u32 insn)
{
	switch ((insn >> 25) & 15) {
	case 8:
	case 9:
		return keeps_immediate(insn);
	case 10:
	case 11:
		return keeps_branch(insn);
	case 4:
	case 6:
	case 12:
	case 14:
		return keeps_memory(insn);
	case 5:
	case 13:
		return keeps_register(insn);
	case 7:
	case 15:
		/* vector instructions, and those that move a vector's part to a register */
		return !is_ours(field(insn, 0));
	}
	return false;
}

/* A branch target: @bits bits from bit @at on count instructions from @pc. */
static u64 displaced(u32 insn, unsigned int at, unsigned int bits, u64 pc)
{
	u64 words = (u64)(insn >> at) << (64 - bits);

	return pc + (u64)((s64)words >> (64 - bits)) * 4;
}

bool leaf_branch(u32 insn, u64 pc, u64 *ret)
{
	if ((insn & 0x7c000000) == 0x14000000)	/* b, bl */
		*ret = displaced(insn, 0, 26, pc);
	else if ((insn & 0xff000000) == 0x54000000 ||
		 (insn & 0x7e000000) == 0x34000000)
		*ret = displaced(insn, 5, 19, pc);
	else if ((insn & 0x7e000000) == 0x36000000)
		*ret = displaced(insn, 5, 14, pc);
	else
		return false;
	return true;
}
