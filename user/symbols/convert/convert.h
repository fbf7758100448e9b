/* SPDX-License-Identifier: GPL-2.0-only */
/* From a file with debug information or symbols to a GSYM file. */
#ifndef USTACK_USER_CONVERT_CONVERT_H
#define USTACK_USER_CONVERT_CONVERT_H

#include "symbols/convert/from_breakpad.h"
#include "symbols/convert/from_bsym.h"
#include "symbols/convert/from_dwarf.h"
#include "symbols/convert/from_symtab.h"
#include "symbols/convert/input.h"
#include "formats/names/style.h"

/**
 * struct gsym_convert_options - how
 * @layout: of the new file; its byte order is the source's, little-endian for Breakpad's and BSYM
 * @merge: see struct gsym_write_options
 * @symbols_only: leave DWARF alone
 * @unnamed: also functions that nothing names, see from_cfi.h; of ELF files without DWARF
 * @linked: the ELF file with code and .eh_frame, if another one than that of the symbols; or
 *          NULL. It says where symbols without size end, see ends.h
 * @bsym: a BSYM file that names what symbols of an ELF file do not, or NULL
 * @names: how names of functions are written, inlined ones included
 * @threads: that read and encode; 0 for 1. The bytes are the same with any number
 * @dwarf: how DWARF is read; its @threads, @off and @len do not count
 */
struct gsym_convert_options {
	enum gsym_layout layout;
	bool merge;
	bool symbols_only;
	bool unnamed;
	const char *linked;
	const char *bsym;
	struct names_style names;
	unsigned int threads;
	struct gsym_dwarf_options dwarf;
};

/**
 * struct gsym_converted - what was done
 * @has_dwarf: @dwarf counts
 * @is_breakpad: @breakpad counts, and nothing else does
 * @is_bsym: @bsym counts, and nothing else does
 * @bsym: of the BSYM file that was read, beside the ELF file or alone
 * @symbols: functions of symbol tables
 * @go: functions of Go's table that symbol tables do not name, see from_go.h; of ELF files without
 *      DWARF
 * @unnamed: functions without a name
 * @symtab_whole: not of .dynsym alone: there was a .symtab, .gnu_debugdata or Go's table
 * @written: the file
 */
struct gsym_converted {
	bool has_dwarf;
	bool is_breakpad;
	bool is_bsym;
	struct gsym_dwarf_stats dwarf;
	struct gsym_breakpad breakpad;
	struct gsym_bsym bsym;
	uint64_t symbols;
	uint64_t go;
	uint64_t unnamed;
	bool symtab_whole;
	struct gsym_write_stats written;
};

/**
 * gsym_convert() - make a GSYM file
 * @in: of gsym_inputs_find()
 * @out: the file to make; it is there, whole, or as it was. NULL for stdout
 * @o: how
 * @ret: on success
 * @diag: may be NULL
 *
 * Return: 0; -ENODATA if nothing in it names a function; another negative errno.
 */
int gsym_convert(const struct gsym_input *in, const char *out,
		 const struct gsym_convert_options *o, struct gsym_converted *ret,
		 struct diag *diag);

#endif /* USTACK_USER_CONVERT_CONVERT_H */
