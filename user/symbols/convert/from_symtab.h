/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the functions of ELF symbol tables for a GSYM file: of .symtab, or if that is
 * missing of .dynsym and .gnu_debugdata. Names are those of the tables. The sections of a
 * relocatable file are where dwarf_place() puts them.
 */
#ifndef USTACK_USER_CONVERT_FROM_SYMTAB_H
#define USTACK_USER_CONVERT_FROM_SYMTAB_H

#include "formats/gsym/build.h"

/**
 * struct gsym_symtab - what was found, and what a writer needs besides the functions
 * @base: address of the first segment
 * @uuid: build id; a longer one is cut
 * @uuid_len: bytes of @uuid, 0 if there is none
 * @big_endian: the file is big-endian
 * @text: ranges of executable sections, ascending; adjacent ones of ELF files are joined
 * @nr_text: number of @text
 * @starts: addresses where symbols without a size end. Mach-O files: starts of functions,
 *          ascending. ELF files: ends of sections, in any order, and what
 *          gsym_symtab_ends() adds, which sorts them
 * @nr_starts: number of @starts
 * @labels: addresses of symbols in the code of ELF files that are not functions, in any
 *          order
 * @nr_labels: number of @labels
 * @symbols: number of functions from .symtab
 * @dynamic: number of functions from .dynsym
 * @packed: number of functions from .gnu_debugdata
 */
struct gsym_symtab {
	uint64_t base;
	uint8_t uuid[GSYM_MAX_UUID];
	uint8_t uuid_len;
	bool big_endian;
	struct range *text;
	size_t nr_text;
	uint64_t *starts;
	size_t nr_starts;
	uint64_t *labels;
	size_t nr_labels;
	uint64_t symbols;
	uint64_t dynamic;
	uint64_t packed;
};

/**
 * gsym_from_symtab() - add a file's functions to a part
 * @path: path of an ELF file of any class and byte order
 * @part: the part that gets the functions. A symbol's order is its index in its table;
 *        those of .dynsym come after others
 * @ret: set on success; released by gsym_symtab_release()
 * @diag: may be NULL
 *
 * Return: 0, also if there are no functions; -EBADMSG if the file is damaged or not an
 * ELF file; another negative errno. After a failure @part has some of the functions.
 */
int gsym_from_symtab(const char *path, struct gsym_part *part, struct gsym_symtab *ret,
		     struct diag *diag);
/* A struct that is released already or zeroed is fine. */
void gsym_symtab_release(struct gsym_symtab *s);

#endif /* USTACK_USER_CONVERT_FROM_SYMTAB_H */
