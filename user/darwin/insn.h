/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/macho: the instructions that prologues and epilogues are made of.
 */
#ifndef USTACK_USER_DARWIN_INSN_H
#define USTACK_USER_DARWIN_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "darwin/unwind_decode.h"

enum insn_kind {
	INSN_OTHER,	/* anything else; nothing but @kind is set */
	INSN_NOTHING,	/* neither registers nor stack that matter change */
	INSN_SP,	/* SP += @n */
	INSN_PUSH,	/* x86: @reg */
	INSN_POP,	/* x86: @reg */
	INSN_SET_FP,	/* FP = SP + @n */
	INSN_LEAVE,	/* x86 */
	INSN_STORE,	/* arm64: registers, to the stack; first SP += @n */
	INSN_LOAD,	/* arm64: @reg and, unless it is 0, @other from SP + @at; then SP += @n */
	INSN_RETURN,
	INSN_JUMP,	/* by @n from its first byte on */
	INSN_JUMP_REG,	/* to who knows where */
	INSN_CALL,
	INSN_SCRATCH,	/* arm64: only x16, x17 or flags change, or a failed check ends here */
};

/**
 * struct insn - one instruction
 * @kind: what it does
 * @len: bytes of it
 * @reg: DWARF number
 * @other: of a pair's second register
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

/* What stands at @p, in at most @left bytes. */
void insn_read_x86(bool wide, const uint8_t *p, size_t left, struct insn *ret);
void insn_read_arm64(const uint8_t *p, size_t left, struct insn *ret);

#endif /* USTACK_USER_DARWIN_INSN_H */
