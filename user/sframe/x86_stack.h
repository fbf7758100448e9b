/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Effect of an x86 instruction on SP and FP, and on words that they point to. Complete: each
 * instruction in an encoding that x86_insn.h knows is reported if it writes SP or FP.
 */
#ifndef USTACK_USER_SFRAME_X86_STACK_H
#define USTACK_USER_SFRAME_X86_STACK_H

#include "sframe/x86_insn.h"

enum x86_effect {
	X86_NONE,
	X86_PUSH,	/* pushes a word that is not FP; calls push too, but are not reported */
	X86_PUSH_FP,
	X86_POP,	/* pops a word to anywhere but SP and FP */
	X86_POP_FP,
	X86_ADD_SP,	/* SP = SP + @off */
	X86_SP_BY_FP,	/* SP = FP + @off */
	X86_FP_BY_SP,	/* FP = SP + @off */
	X86_LOAD_FP,	/* FP = the word at @at of @base */
	X86_LEAVE,
	X86_RET,
	X86_SYSCALL,	/* SP may be another one afterwards: clone() returns twice */
	X86_LOSE_SP,	/* SP is written in another way */
	X86_LOSE_FP,
	X86_LOSE_BOTH,
};

enum x86_base {
	X86_ELSEWHERE,
	X86_AT_SP,
	X86_AT_FP,
};

/**
 * struct x86_stack - effect of one instruction
 * @effect: enum x86_effect
 * @base: enum x86_base: register from which the memory operand's address counts, if no
 *        other register is added
 * @takes: with X86_RET: arguments leave the stack with the return address
 * @off: number of bytes, see enum x86_effect
 * @at: distance in bytes from @base to the memory operand
 * @stores: upper bound of the bytes that may be written there; 0: it is only read
 */
struct x86_stack {
	u8 effect;
	u8 base;
	bool takes;
	s32 off;
	s32 at;
	u32 stores;
};

/**
 * x86_stack_read() - decode an instruction's effect
 * @code: bytes of the instruction
 * @insn: result of x86_insn_read() for them
 * @ret: written in any case
 */
void x86_stack_read(const u8 *code, const struct x86_insn *insn, struct x86_stack *ret);

/**
 * x86_stack_pushed() - how many bytes an instruction puts on the stack
 * @x: the instruction's effect
 * @ret: number of bytes, negative if it takes some off; 0 if that is unknown
 *
 * Return: whether it is known. A call counts as 0: its return address is gone when it returns.
 */
bool x86_stack_pushed(const struct x86_stack *x, s64 *ret);

#endif /* USTACK_USER_SFRAME_X86_STACK_H */
