/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the CFI reader: the entries of a section. libdw's dwarf_next_cfi()
 * reads their syntax. It needs no file, so sections in memory are read the same way.
 */
#ifndef USTACK_USER_SFRAME_CFI_ENTRY_H
#define USTACK_USER_SFRAME_CFI_ENTRY_H

#include "sframe/cfi_run.h"

/* Number of cached CIEs. Linkers merge those of .eh_frame into a few; .debug_frame
 * has one for each compilation unit, before its FDEs.
 */
#define CFI_CIE_CACHE 64

/* Most bytes of a CIE's program that are run. It is run again each time the CIE has
 * been displaced from the cache, so this bounds the work for one FDE. Real programs
 * have less than 64.
 */
#define CFI_MAX_CIE 4096

/**
 * struct cfi_entries - a position in a section
 * @s: the section, borrowed
 * @arch: architecture of the file
 * @pos: offset of the next entry in @s
 * @valid: bit i is set if @cies[i] is filled
 * @cies: cache of CIEs, hashed by their offset
 */
struct cfi_entries {
	const struct cfi_section *s;
	const struct ustack_arch *arch;
	u32 pos;
	u64 valid;
	struct cfi_cie cies[CFI_CIE_CACHE];
};

_Static_assert(CFI_CIE_CACHE == 64, "one bit of valid each");

/**
 * struct cfi_head - an FDE without its rows
 * @offset: offset of the entry in the section
 * @cie: the entry's CIE, valid until the next entry is read
 * @start: link-time address of the function
 * @len: number of bytes of the function
 * @program: cursor over the entry's instructions
 */
struct cfi_head {
	u64 offset;
	const struct cfi_cie *cie;
	u64 start;
	u64 len;
	struct ustack_cursor program;
};

/* Starts at the first entry of @s. */
void cfi_entries_init(struct cfi_entries *e, const struct cfi_section *s,
		      const struct ustack_arch *arch);

/**
 * cfi_entries_next() - read the next FDE
 * @e: the position; reading continues after a lost entry
 * @ret: the FDE; if it is lost, its offset and the fields that could be read
 * @loss: why it is lost, or empty
 *
 * Zero words do not end the section: it is put together from several files, some
 * of which had a terminator (crtend.o's is in the middle if it is not linked last).
 *
 * Return: false at the end.
 */
bool cfi_entries_next(struct cfi_entries *e, struct cfi_head *ret,
		      struct cfi_loss *loss);

#endif /* USTACK_USER_SFRAME_CFI_ENTRY_H */
