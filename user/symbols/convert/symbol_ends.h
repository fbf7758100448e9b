/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where functions end whose symbols have no size, such as functions in assembly or
 * made by linkers. The next function may have no symbol, so the code before the next
 * symbol need not all belong to this one.
 *
 *	source			the function ends at the latest
 *	an FDE			where the FDE ends, or another one begins or ends
 *	the code		after the return or jump that no branch jumps over
 *	neither of them		at the next symbol of any kind
 *	always			where its section ends
 */
#ifndef USTACK_USER_CONVERT_SYMBOL_ENDS_H
#define USTACK_USER_CONVERT_SYMBOL_ENDS_H

#include "symbols/convert/from_symtab.h"

/* Bytes of code that are read of one function; functions in assembly are shorter. */
#define ENDS_MAX_CODE 4096u
/* Bytes of code that are read of all functions of a file; the rest is ignored. */
#define ENDS_MAX_CODE_ALL (64u << 20)

/**
 * gsym_symtab_ends() - find where symbols without size end
 * @path: path of the linked ELF file that has the code and .eh_frame: the file of the
 *        symbols, or the one that its debug information was split from
 * @part: the part with the functions
 * @s: result of gsym_from_symtab(). The addresses are added to its @starts, which
 *     gsym_write() takes
 * @diag: may be NULL
 *
 * Code is read for x86-64 and AArch64. Damaged data in @path is ignored. The time is that
 * of reading the CFI and at most ENDS_MAX_CODE_ALL bytes of code.
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_symtab_ends(const char *path, const struct gsym_part *part, struct gsym_symtab *s,
		     struct diag *diag);

/**
 * symbol_end_by_code() - where the code of a function ends
 * @machine: EM_X86_64 or EM_AARCH64
 * @code: bytes from the function's first byte on
 * @len: number of bytes of @code
 * @start: address of the function
 * @leaves: returns whether an address is the first byte of another function
 * @arg: passed to @leaves
 *
 * Return: the address after the function's last instruction; 0 if it is not known, as the
 * code jumps to a register or memory, or @code ends before the function does.
 */
uint64_t symbol_end_by_code(unsigned int machine, const uint8_t *code, size_t len, uint64_t start,
		      bool (*leaves)(uint64_t addr, void *arg), void *arg);

#endif /* USTACK_USER_CONVERT_SYMBOL_ENDS_H */
