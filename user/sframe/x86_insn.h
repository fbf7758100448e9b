/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where x86 instructions end, and where they go, of 64 bits and of i386. Enough to prove of a
 * function's code what is in it and how it is left; not what the instructions do.
 */
#ifndef USTACK_USER_SFRAME_X86_INSN_H
#define USTACK_USER_SFRAME_X86_INSN_H

#include "core.h"

#define X86_INSN_MAX 15u

enum x86_kind {
	X86_OTHER,	/* the next one follows */
	X86_CALL,	/* to @to; or elsewhere, with @to 0 */
	X86_BRANCH,	/* to @to, or the next one */
	X86_JUMP,	/* to @to; or elsewhere, with @to 0 */
	X86_END,	/* ret, iret, ud2, hlt, int3: nothing follows */
};

/**
 * struct x86_insn - one instruction
 * @len: bytes, 1 to X86_INSN_MAX
 * @kind: enum x86_kind
 * @bits32: it is one of i386
 * @to: link-time address, see there
 */
struct x86_insn {
	u8 len;
	u8 kind;
	bool bits32;
	u64 to;
};

/**
 * x86_insn_read() - decode an instruction of x86-64
 * @code: its bytes
 * @len: how many there are
 * @pc: its link-time address
 * @ret: written on success only
 *
 * Return: false for what is cut off, is none in 64-bit mode, or is not known here:
 * transactions, 3DNow!, XOP, APX, system instructions of some processors only.
 */
bool x86_insn_read(const u8 *code, u64 len, u64 pc, struct x86_insn *ret);

/* The same of i386: code of a segment of 32 bits. */
bool x86_insn_read_i386(const u8 *code, u64 len, u64 pc, struct x86_insn *ret);

/**
 * x86_insn_address() - the address that an instruction of x86-64 puts into a register
 * @code: its bytes
 * @insn: what x86_insn_read() said of them
 * @pc: its link-time address
 *
 * Return: what lea x(%rip) or mov $x gives, which need not be an address; 0 for another
 * instruction.
 */
u64 x86_insn_address(const u8 *code, const struct x86_insn *insn, u64 pc);

#endif /* USTACK_USER_SFRAME_X86_INSN_H */
