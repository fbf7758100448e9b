/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes encodings of Apple's compact unwinding, for x86, x86-64 and arm64: how the caller's
 * frame is found and where registers are saved. An encoding describes a function's body only,
 * neither prologue nor epilogue.
 *
 * Registers have System V's DWARF numbers. Offsets count from the CFA: the caller's stack
 * pointer after the call.
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
 * unwind_arch_of() - the architecture of a Mach-O file
 * @cputype: the file's MACHO_X86_64, ...; MACHO_ARM64_32 unwinds as arm64
 * @ret: written if it is supported
 *
 * Return: whether it is supported.
 */
bool unwind_arch_of(uint32_t cputype, enum unwind_arch *ret);

/* Bits that all encodings have. */
#define UNWIND_NOT_START 0x80000000u
#define UNWIND_HAS_LSDA 0x40000000u

/* 1 for the first personality, 0 for none */
static inline unsigned int unwind_personality(uint32_t encoding)
{
	return encoding >> 28 & 3;
}

/**
 * enum unwind_kind - how to find the CFA and the return address
 * @UNWIND_NONE: unknown; the innermost function may have no frame
 * @UNWIND_FRAME: the frame pointer (rbp, ebp, x29) plus two words. The return address is
 *                in the word below the CFA, the caller's frame pointer in the one below it
 * @UNWIND_IMMEDIATE: x86: the stack pointer plus a size. The return address is in the word
 *                    below the CFA
 * @UNWIND_INDIRECT: the same, but the size is an immediate in the function's code
 * @UNWIND_FRAMELESS: arm64: the stack pointer plus a size. The return address is in lr, so
 *                    this is only for the innermost frame, or one that a signal interrupted
 * @UNWIND_DWARF: __eh_frame describes the function
 */
enum unwind_kind {
	UNWIND_NONE,
	UNWIND_FRAME,
	UNWIND_IMMEDIATE,
	UNWIND_INDIRECT,
	UNWIND_FRAMELESS,
	UNWIND_DWARF,
};

/* Registers: five pairs of x and four of d; in an epilogue x29 and x30, too. */
#define UNWIND_MAX_SAVED 20

/* arm64's x30; no encoding has it, but rules from unwind_edge.h may. */
#define UNWIND_LR 30u

/**
 * struct unwind_saved - a saved register
 * @reg: DWARF number; arm64's d8 is 72
 * @off: offset of its slot from the CFA, in bytes
 */
struct unwind_saved {
	uint16_t reg;
	int16_t off;
};

/**
 * struct unwind_rule - an encoding, decoded
 * @kind: kind of the rule; it decides which other fields are used
 * @size: UNWIND_IMMEDIATE, UNWIND_FRAMELESS: size of the frame in bytes
 * @code: UNWIND_INDIRECT: offset of the immediate's four bytes from the function's
 *        start
 * @adjust: UNWIND_INDIRECT: bytes to add to the immediate
 * @fde: UNWIND_DWARF: offset of the FDE in __eh_frame. Only a hint: if it is 0 or the FDE
 *       covers other code, the reader searches
 * @unsure: UNWIND_FRAMELESS: registers are saved in slots about which LLVM's unwinder and its
 *          assembler disagree; they are not in @saved
 * @nr_saved: number of @saved, without the frame pointer of UNWIND_FRAME
 * @saved: saved registers, by rising address on x86, by falling on arm64
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
 * unwind_decode() - decode an encoding
 * @arch: architecture of the code
 * @encoding: all 32 bits
 * @ret: written on success
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with the reason if the encoding is invalid.
 */
int unwind_decode(enum unwind_arch arch, uint32_t encoding, struct unwind_rule *ret,
		  struct diag *diag);

/* The register's name, such as "rbx" or "d8". Return: NULL if no encoding has register @reg. */
const char *unwind_reg_name(enum unwind_arch arch, unsigned int reg);

/* The kind's name, such as "frame". */
const char *unwind_kind_name(enum unwind_kind kind);

/* Longest text of a rule in bytes: a head of 85, and 16 for each register. */
#define UNWIND_TEXT 448

/**
 * unwind_rule_text() - write a rule as text
 * @arch: as for unwind_decode()
 * @r: from unwind_decode() or unwind_edge(). A register without a name is "r" and its number
 * @buf: receives the text, such as "immediate cfa=rsp+16 rbx=[cfa-16]"
 * @len: number of bytes of @buf; a longer text is cut
 */
void unwind_rule_text(enum unwind_arch arch, const struct unwind_rule *r, char *buf, size_t len);

#endif /* USTACK_USER_DARWIN_UNWIND_DECODE_H */
