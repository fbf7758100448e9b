/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the functions of a Mach-O file's symbol table for a GSYM file: symbols in
 * sections with instructions, without stabs. The leading underscore of C names is
 * removed, as llvm-gsymutil does.
 *
 * Symbols have no size. LC_FUNCTION_STARTS lists the starts of all functions, also of
 * those whose symbols were stripped; a symbol ends at the next of them at the latest.
 */
#ifndef USTACK_USER_CONVERT_FROM_MACHO_H
#define USTACK_USER_CONVERT_FROM_MACHO_H

#include "symbols/convert/from_symtab.h"

/**
 * gsym_from_macho() - add a file's functions to a part
 * @path: path of a Mach-O file of any processor and byte order
 * @off: offset in @path where the Mach-O file starts: not 0 for a slice of a fat file
 * @len: size of the Mach-O file in bytes; 0 for the whole file
 * @part: the part that gets the functions. A symbol's order is its index in the table;
 *        external symbols come after others
 * @ret: set on success; released by gsym_symtab_release()
 * @diag: may be NULL
 *
 * Return: 0, also if there are no functions; -EBADMSG if the file is damaged or not a
 * thin Mach-O file; another negative errno. After a failure @part has some of the
 * functions.
 */
int gsym_from_macho(const char *path, uint64_t off, uint64_t len, struct gsym_part *part,
		    struct gsym_symtab *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_MACHO_H */
