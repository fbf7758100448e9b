/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/darwin: the instructions that prologues and epilogues consist of.
 */
#ifndef USTACK_USER_DARWIN_INSN_H
#define USTACK_USER_DARWIN_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "darwin/unwind_decode.h"

enum insn_kind {
	INSN_OTHER,	/* any other instruction; only @kind is set */
	INSN_NOTHING,	/* changes neither registers nor stack in a way that matters */
	INSN_SP,	/* SP += @n */
	INSN_PUSH,	/* x86: pushes @reg */
	INSN_POP,	/* x86: pops @reg */
	INSN_SET_FP,	/* FP = SP + @n */
	INSN_LEAVE,	/* x86 */
	INSN_STORE,	/* arm64: stores registers to the stack; first SP += @n */
	INSN_LOAD,	/* arm64: @reg and, unless it is 0, @other from SP + @at; then SP += @n */
	INSN_RETURN,
	INSN_JUMP,	/* jumps by @n from its first byte */
	INSN_JUMP_REG,	/* jumps to an unknown address */
	INSN_CALL,
	INSN_SCRATCH,	/* arm64: only x16, x17 or flags change, or a failed check ends here */
};

/**
 * struct insn - one instruction
 * @kind: effect of the instruction
 * @len: number of bytes
 * @reg: DWARF number of the register
 * @other: DWARF number of a pair's second register
 * @at: see INSN_LOAD
 * @n: see enum insn_kind
 */
struct insn {
	enum insn_kind kind;
	unsigned int len;
	unsigned int reg;
	unsigned int other;
	int32_t at;
	int32_t n;
};

/* Decode the instruction at @p, of which @left bytes are there. */
void insn_read_x86(bool wide, const uint8_t *p, size_t left, struct insn *ret);
void insn_read_arm64(const uint8_t *p, size_t left, struct insn *ret);

#endif /* USTACK_USER_DARWIN_INSN_H */
