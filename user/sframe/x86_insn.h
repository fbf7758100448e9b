/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lengths and jump targets of x86 instructions, of x86-64 and of i386. This is enough to prove
 * which instructions a function has and how it is left; x86_stack.h tells what they do.
 */
#ifndef USTACK_USER_SFRAME_X86_INSN_H
#define USTACK_USER_SFRAME_X86_INSN_H

#include "core.h"

#define X86_INSN_MAX 15u

enum x86_kind {
	X86_OTHER,	/* the next instruction follows */
	X86_CALL,	/* a call of @to; @to is 0 if the target is unknown */
	X86_BRANCH,	/* continues at @to, or at the next instruction */
	X86_JUMP,	/* a jump to @to; @to is 0 if the target is unknown */
	X86_END,	/* ret, iret, ud2, hlt, int3: nothing follows */
};

/**
 * struct x86_insn - one instruction
 * @len: number of bytes, 1 to X86_INSN_MAX
 * @kind: enum x86_kind
 * @bits32: an instruction of i386
 * @to: link-time address, see enum x86_kind
 */
struct x86_insn {
	u8 len;
	u8 kind;
	bool bits32;
	u64 to;
};

/**
 * x86_insn_read() - decode an instruction of x86-64
 * @code: bytes from the instruction's start
 * @len: number of @code
 * @pc: link-time address of @code
 * @ret: written on success only
 *
 * Return: false if the instruction is cut, does not exist in 64-bit mode, or is unknown here:
 * transactions, 3DNow!, XOP, APX, system instructions of some processors only.
 */
bool x86_insn_read(const u8 *code, u64 len, u64 pc, struct x86_insn *ret);

/* The same for i386: code of a 32-bit segment. */
bool x86_insn_read_i386(const u8 *code, u64 len, u64 pc, struct x86_insn *ret);

/**
 * x86_insn_address() - read the address that an instruction of x86-64 puts into a register
 * @code: bytes of the instruction
 * @insn: result of x86_insn_read() for them
 * @pc: link-time address of @code
 *
 * Return: the value that lea x(%rip) or mov $x loads, which need not be an address; 0 for
 * other instructions.
 */
u64 x86_insn_address(const u8 *code, const struct x86_insn *insn, u64 pc);

#endif /* USTACK_USER_SFRAME_X86_INSN_H */
