/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Effect of an instruction of x86-64 on general registers: exact for those that lead to a jump through
 * a table, else the set of registers that it writes. x86_stack.h has the effect on SP and FP.
 */
#ifndef USTACK_USER_SFRAME_X86_REGS_H
#define USTACK_USER_SFRAME_X86_REGS_H

#include "sframe/x86_insn.h"

#define X86_NO_REG 16u

enum x86_action {
	X86_UNKNOWN,	/* any register may change */
	X86_WRITES,	/* only the registers @writes change, in a way that is not described */
	X86_COPIES,	/* @to = the low @bytes of the register @from, extended */
	X86_LOADS,	/* @to = @bytes of memory, extended */
	X86_ADDRESSES,	/* @to = address of the memory operand */
	X86_SETS,	/* @to = @value */
	X86_ADDS,	/* @to = @to + the register @from; 64 bits */
	X86_ADDS_VALUE,	/* @to = @to + @value */
	X86_COMPARES,	/* compares the low @bytes of the register @from with @value */
	X86_COMPARES_MEMORY,	/* compares @bytes of memory with @value */
	X86_GOES,	/* jumps to the address in the register @from */
	X86_GOES_BY_MEMORY,	/* jumps to the address in memory */
};

/**
 * struct x86_regs - effect of one instruction
 * @action: enum x86_action
 * @to: the register that is written
 * @from: the register that is read
 * @bytes: width of what is read; the result of X86_ADDRESSES, X86_SETS and X86_ADDS_VALUE
 *         has 4 or 8 bytes, and is extended by zeros
 * @sign: @bytes are extended by their sign, else by zeros
 * @narrow: the extended value has 4 bytes, and is extended to 8 by zeros
 * @stores: memory may be written
 * @flags: the flags may be written
 * @base: register of the memory operand's address, or X86_NO_REG
 * @index: register that is multiplied by @scale and added, or X86_NO_REG
 * @scale: 1, 2, 4, 8
 * @writes: mask of the registers that may change
 * @at: sum of the address's constant parts, with the place of the code if it counts from there
 * @value: a constant, extended as the instruction does it
 */
struct x86_regs {
	u8 action;
	u8 to;
	u8 from;
	u8 bytes;
	bool sign;
	bool narrow;
	bool stores;
	bool flags;
	u8 base;
	u8 index;
	u8 scale;
	u16 writes;
	u64 at;
	u64 value;
};

/**
 * x86_regs_read() - decode an instruction's effect
 * @code: bytes of the instruction
 * @insn: result of x86_insn_read() for them; not of i386
 * @pc: link-time address of @code
 * @ret: written in any case
 */
void x86_regs_read(const u8 *code, const struct x86_insn *insn, u64 pc, struct x86_regs *ret);

#endif /* USTACK_USER_SFRAME_X86_REGS_H */
