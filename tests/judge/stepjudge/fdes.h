/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file's CFI, read with libdw only: which code has an entry, and the row of a pc. Entries are
 * found with dwarf_next_cfi(); their addresses are decoded here.
 */
#ifndef USTACK_STEPJUDGE_FDES_H
#define USTACK_STEPJUDGE_FDES_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "core.h"

/**
 * struct fde - the code of one entry
 * @start: link-time address
 * @end: address after the last one
 * @far: the largest end among the section's entries up to this one
 * @cfi: libdw's handle of its section
 * @debug: the entry is in .debug_frame
 */
struct fde {
	u64 start;
	u64 end;
	u64 far;
	Dwarf_CFI *cfi;
	bool debug;
};

/**
 * struct fdes - the entries of a file
 * @elf: the file
 * @dwarf: libdw's handle for .debug_frame, may be NULL
 * @eh: .eh_frame, may be NULL
 * @debug: .debug_frame, may be NULL
 * @all: entries, those of .eh_frame first, in ascending order of start
 * @nr: number of entries in @all
 * @nr_eh: number of them in .eh_frame
 * @empty: entries without code, or for code that the linker dropped
 * @strange: entries whose addresses cannot be decoded
 */
struct fdes {
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_CFI *eh;
	Dwarf_CFI *debug;
	struct fde *all;
	size_t nr;
	size_t nr_eh;
	u64 empty;
	u64 strange;

	/* private */
	size_t room;
};

/* Opens the file that @fd refers to; @fd is borrowed until fdes_release(). */
bool fdes_open(struct fdes *f, int fd);
void fdes_release(struct fdes *f);

/* Number of entries of one section that contain @pc. */
size_t fdes_covering(const struct fdes *f, u64 pc);

#endif /* USTACK_STEPJUDGE_FDES_H */
