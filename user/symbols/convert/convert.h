/* SPDX-License-Identifier: GPL-2.0-only */
/* Converts a file with debug information or symbols to a GSYM file. */
#ifndef USTACK_USER_CONVERT_CONVERT_H
#define USTACK_USER_CONVERT_CONVERT_H

#include "symbols/convert/from_breakpad.h"
#include "symbols/convert/from_bsym.h"
#include "symbols/convert/from_dwarf.h"
#include "symbols/convert/from_symtab.h"
#include "symbols/convert/input.h"
#include "formats/names/style.h"

/**
 * struct gsym_convert_options - how a file is converted
 * @layout: layout of the new file. Its byte order is that of the source; little-endian
 *          for Breakpad and BSYM files
 * @merge: see struct gsym_write_options
 * @symbols_only: do not read DWARF
 * @unnamed: add functions that nothing names, see from_cfi.h; only for ELF files without
 *           DWARF
 * @linked: path of the ELF file with code and .eh_frame, if that is not the file with the
 *          symbols; or NULL. It tells where symbols without a size end, see symbol_ends.h
 * @bsym: path of a BSYM file that names what the symbols of an ELF file do not, or NULL
 * @names: how names of functions are written, also those of inlined functions
 * @threads: number of threads that read and encode; 0 means 1. The number does not change
 *           the bytes of the result
 * @dwarf: how DWARF is read; its @threads, @off and @len are ignored
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
 * struct gsym_converted - what a conversion found and wrote
 * @has_dwarf: @dwarf is set
 * @is_breakpad: the source is a Breakpad file: only @breakpad and @written are set
 * @is_bsym: the source is a BSYM file: only @bsym and @written are set
 * @dwarf: what was found in DWARF
 * @breakpad: what was found in the Breakpad file
 * @bsym: what was found in the BSYM file: the source, or the one in @bsym of the options
 * @symbols: number of functions from symbol tables
 * @go: number of functions from Go's table that symbol tables do not name, see from_go.h;
 *      only for ELF files without DWARF
 * @unnamed: number of functions without a name
 * @symtab_whole: there was more than .dynsym: a .symtab, .gnu_debugdata or Go's table
 * @written: what the writer wrote
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
 * @in: an entry of what gsym_inputs_find() returned
 * @out: path of the file to make, NULL for stdout. The file is replaced as a whole or
 *       left unchanged
 * @o: options
 * @ret: what was done; set on success
 * @diag: may be NULL
 *
 * Return: 0; -ENODATA if nothing in the file names a function; another negative errno.
 */
int gsym_convert(const struct gsym_input *in, const char *out,
		 const struct gsym_convert_options *o, struct gsym_converted *ret,
		 struct diag *diag);

#endif /* USTACK_USER_CONVERT_CONVERT_H */
