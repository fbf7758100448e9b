/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of ELF symbol tables, for a GSYM file: .symtab, or without one .dynsym
 * and what .gnu_debugdata has beside it. Names are as the tables have them. Of a
 * relocatable file, sections are where dwarf_place() puts them.
 */
#ifndef USTACK_USER_CONVERT_FROM_SYMTAB_H
#define USTACK_USER_CONVERT_FROM_SYMTAB_H

#include "formats/gsym/build.h"

/**
 * struct gsym_symtab - what a writer needs, and what was found
 * @base: address of the first segment
 * @uuid: build id; a longer one is cut
 * @uuid_len: bytes of @uuid, 0 if there is none
 * @big_endian: the file is
 * @text: executable sections, ascending; those of ELF files that touch are one
 * @nr_text: number of @text
 * @starts: where symbols without size end, ascending: of Mach-O files where functions start;
 *          of ELF files where sections end, in any order, and what gsym_symtab_ends() adds
 * @nr_starts: number of @starts
 * @labels: symbols in ELF files' code that are no functions, in any order
 * @nr_labels: number of @labels
 * @symbols: functions of .symtab
 * @dynamic: functions of .dynsym
 * @packed: functions of .gnu_debugdata
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
 * gsym_from_symtab() - add a file's functions
 * @path: ELF file of any class and byte order
 * @part: that they are added to; a symbol's order is its place in its table, and
 *        those of .dynsym come behind others
 * @ret: on success: released by gsym_symtab_release()
 * @diag: may be NULL
 *
 * Return: 0, also if there are none; -EBADMSG if it is no ELF file or damaged; another
 * negative errno. After a failure @part has some of the functions.
 */
int gsym_from_symtab(const char *path, struct gsym_part *part, struct gsym_symtab *ret,
		     struct diag *diag);
/* A released one, or one of zeros, is fine. */
void gsym_symtab_release(struct gsym_symtab *s);

#endif /* USTACK_USER_CONVERT_FROM_SYMTAB_H */
