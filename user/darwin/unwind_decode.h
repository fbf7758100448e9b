/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an encoding of Apple's compact unwinding means, on x86, x86-64 and arm64: how the
 * caller's frame is found and where registers are. It describes a function's body only,
 * neither prologue nor epilogue.
 *
 * Registers have their DWARF numbers of System V. Addresses are from the CFA: the stack
 * pointer that the caller has behind the call.
 *
 * Context: any; nothing is kept.
 */
#ifndef USTACK_USER_DARWIN_UNWIND_DECODE_H
#define USTACK_USER_DARWIN_UNWIND_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

enum unwind_arch {
	UNWIND_X86,
	UNWIND_X86_64,
	UNWIND_ARM64,
};

/**
 * unwind_arch_of() - which of them a file is for
 * @cputype: its MACHO_X86_64, ...; MACHO_ARM64_32 unwinds as arm64 does
 * @ret: written if it is one
 *
 * Return: whether it is.
 */
bool unwind_arch_of(uint32_t cputype, enum unwind_arch *ret);

/* Bits of all encodings. */
#define UNWIND_NOT_START 0x80000000u
#define UNWIND_HAS_LSDA 0x40000000u

/* 1 for the first personality, 0 for none */
static inline unsigned int unwind_personality(uint32_t encoding)
{
	return encoding >> 28 & 3;
}

/**
 * enum unwind_kind - how to find the CFA and the return address
 * @UNWIND_NONE: not known; at the start of a stack the function may have no frame
 * @UNWIND_FRAME: the frame pointer (rbp, ebp, x29) plus two words. The return address is
 *                in the word below the CFA, the caller's frame pointer in the one below it
 * @UNWIND_IMMEDIATE: x86: the stack pointer plus a size. The return address is in the word
 *                    below the CFA
 * @UNWIND_INDIRECT: the same, the size being an immediate of the function's code
 * @UNWIND_FRAMELESS: arm64: the stack pointer plus a size. The return address is in lr:
 *                    of the innermost frame only, or one that a signal interrupted
 * @UNWIND_DWARF: __eh_frame says it
 */
enum unwind_kind {
	UNWIND_NONE,
	UNWIND_FRAME,
	UNWIND_IMMEDIATE,
	UNWIND_INDIRECT,
	UNWIND_FRAMELESS,
	UNWIND_DWARF,
};

/* five pairs of x registers and four of d; in an epilogue x29 and x30, too */
#define UNWIND_MAX_SAVED 20

/* arm64's x30, which no encoding has, but what unwind_edge.h finds may */
#define UNWIND_LR 30u

/**
 * struct unwind_saved - a register that is saved
 * @reg: its DWARF number: 72 is arm64's d8
 * @off: of it from the CFA, in bytes
 */
struct unwind_saved {
	uint16_t reg;
	int16_t off;
};

/**
 * struct unwind_rule - an encoding, decoded
 * @kind: what it is; says which of the others are used
 * @size: UNWIND_IMMEDIATE, UNWIND_FRAMELESS: of the frame, in bytes
 * @code: UNWIND_INDIRECT: offset of the four bytes of the immediate from the function's
 *        start
 * @adjust: UNWIND_INDIRECT: bytes of the frame more than the immediate
 * @fde: UNWIND_DWARF: offset of the FDE in __eh_frame. A hint: 0, or one whose range is
 *       another, has the reader search
 * @unsure: UNWIND_FRAMELESS: registers are saved that LLVM's own unwinder looks for
 *          elsewhere than its assembler puts them; they are not in @saved
 * @nr_saved: of @saved, besides the frame pointer of UNWIND_FRAME
 * @saved: by rising address on x86, by falling on arm64
 */
struct unwind_rule {
	enum unwind_kind kind;
	uint32_t size;
	uint32_t code;
	uint32_t adjust;
	uint32_t fde;
	bool unsure;
	unsigned int nr_saved;
	struct unwind_saved saved[UNWIND_MAX_SAVED];
};

/**
 * unwind_decode() - what an encoding means
 * @arch: whose
 * @encoding: with all its bits
 * @ret: filled on success
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if it means nothing, with the reason.
 */
int unwind_decode(enum unwind_arch arch, uint32_t encoding, struct unwind_rule *ret,
		  struct diag *diag);

/* "rbx", "d8", ... Return: NULL if no encoding has register @reg. */
const char *unwind_reg_name(enum unwind_arch arch, unsigned int reg);

/* "frame", "immediate", ... */
const char *unwind_kind_name(enum unwind_kind kind);

/* What unwind_rule_text() needs at most: a head of 85 bytes, and 16 for each register. */
#define UNWIND_TEXT 448

/**
 * unwind_rule_text() - a rule for people
 * @arch: as for unwind_decode()
 * @r: from there, or from unwind_edge(). A register without a name is "r" and its number
 * @buf: result, such as "immediate cfa=rsp+16 rbx=[cfa-16]"
 * @len: bytes of @buf; a longer result is cut
 */
void unwind_rule_text(enum unwind_arch arch, const struct unwind_rule *r, char *buf, size_t len);

#endif /* USTACK_USER_DARWIN_UNWIND_DECODE_H */
