/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an x86 instruction does to SP and FP, and to words that they point to.
 * Complete: an instruction that writes either register, in any encoding that x86_insn.h
 * knows, says so.
 */
#ifndef USTACK_USER_SFRAME_X86_STACK_H
#define USTACK_USER_SFRAME_X86_STACK_H

#include "sframe/x86_insn.h"

enum x86_effect {
	X86_NONE,
	X86_PUSH,	/* a word that is not FP; calls do more, and are not counted */
	X86_PUSH_FP,
	X86_POP,	/* a word, to anywhere but SP and FP */
	X86_POP_FP,
	X86_ADD_SP,	/* SP = SP + @off */
	X86_SP_BY_FP,	/* SP = FP + @off */
	X86_FP_BY_SP,	/* FP = SP + @off */
	X86_LOAD_FP,	/* FP = the word at @at of @base */
	X86_LEAVE,
	X86_RET,
	X86_SYSCALL,	/* SP may be another one: clone() returns twice */
	X86_LOSE_SP,	/* written in another way */
	X86_LOSE_FP,
	X86_LOSE_BOTH,
};

enum x86_base {
	X86_ELSEWHERE,
	X86_AT_SP,
	X86_AT_FP,
};

/**
 * struct x86_stack - what one instruction does
 * @effect: enum x86_effect
 * @base: enum x86_base: what counts the address of the memory operand, by itself
 * @off: see there
 * @at: from @base to the memory operand
 * @stores: bytes that may be written there, or more than that; 0: it is only read
 * @takes: of X86_RET: arguments leave the stack with the return address
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
 * x86_stack_read() - look at an instruction
 * @code: its bytes
 * @insn: what x86_insn_read() said of them
 * @ret: written in any case
 */
void x86_stack_read(const u8 *code, const struct x86_insn *insn, struct x86_stack *ret);

#endif /* USTACK_USER_SFRAME_X86_STACK_H */
