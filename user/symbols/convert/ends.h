/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where functions end whose symbols have no size, such as assemblers and linkers make. The
 * next function need not have a name, so that what follows must not be taken for theirs.
 *
 *	what says it		where the function ends at the latest
 *	an FDE			where that ends, and where another one begins or ends
 *	the code		behind the return or jump that no branch of it passes
 *	neither of them		at the next symbol of any kind
 *	always			where its section ends
 */
#ifndef USTACK_USER_CONVERT_ENDS_H
#define USTACK_USER_CONVERT_ENDS_H

#include "symbols/convert/from_symtab.h"

/* Bytes of a function whose code is looked at; assemblers' functions are shorter. */
#define ENDS_MAX_CODE 4096u
/* Of all functions: what a file with more of them has beyond is not looked at. */
#define ENDS_MAX_CODE_ALL (64u << 20)

/**
 * gsym_symtab_ends() - find where symbols without size end
 * @path: linked ELF file that has the code and .eh_frame, if not the file of the symbols
 *        then the one that its debug information was split from
 * @part: has the functions
 * @s: of gsym_from_symtab(); its @starts get the addresses, to be given to gsym_write()
 * @diag: may be NULL
 *
 * Code is read of x86-64 and AArch64. What is damaged in @path says nothing. Time is that
 * of reading the CFI, and of ENDS_MAX_CODE_ALL bytes of code.
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_symtab_ends(const char *path, const struct gsym_part *part, struct gsym_symtab *s,
		     struct diag *diag);

/**
 * ends_of_code() - where the code of a function ends
 * @machine: EM_X86_64 or EM_AARCH64
 * @code: from the function's first byte on
 * @len: bytes of @code
 * @start: address of the function
 * @leaves: whether an address is another function's first byte
 * @arg: for @leaves
 *
 * Return: the address behind its last instruction; 0 if that is not known: it jumps by a
 * register or memory, or @code ends before.
 */
uint64_t ends_of_code(unsigned int machine, const uint8_t *code, size_t len, uint64_t start,
		      bool (*leaves)(uint64_t addr, void *arg), void *arg);

#endif /* USTACK_USER_CONVERT_ENDS_H */
