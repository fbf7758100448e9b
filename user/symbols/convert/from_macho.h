/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of a Mach-O file's symbol table, for a GSYM file: symbols of sections
 * with instructions, stabs left out. A leading underscore, which C's names have there,
 * is taken off, as llvm-gsymutil does.
 *
 * Symbols have no size. LC_FUNCTION_STARTS says where functions start, also those whose
 * symbols were stripped: a symbol ends there at the latest.
 */
#ifndef USTACK_USER_CONVERT_FROM_MACHO_H
#define USTACK_USER_CONVERT_FROM_MACHO_H

#include "symbols/convert/from_symtab.h"

/**
 * gsym_from_macho() - add a file's functions
 * @path: Mach-O file of any processor and byte order
 * @off: where it starts in the file at @path: not 0 for a slice of a fat one
 * @len: bytes of it; 0 for all of the file
 * @part: that they are added to; a symbol's order is its place in the table, behind
 *        others if it is external
 * @ret: on success: released by gsym_symtab_release()
 * @diag: may be NULL
 *
 * Return: 0, also if there are none; -EBADMSG if it is no thin Mach-O file or damaged;
 * another negative errno. After a failure @part has some of the functions.
 */
int gsym_from_macho(const char *path, uint64_t off, uint64_t len, struct gsym_part *part,
		    struct gsym_symtab *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_MACHO_H */
