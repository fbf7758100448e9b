/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside the CFI reader: entries of a section. libdw's dwarf_next_cfi() reads
 * their syntax, which needs no file: sections in memory go the same way.
 */
#ifndef USTACK_USER_SFRAME_CFI_ENTRY_H
#define USTACK_USER_SFRAME_CFI_ENTRY_H

#include "sframe/cfi_run.h"

/* CIEs kept at a time. Linkers merge those of .eh_frame into a few; those of
 * .debug_frame are one a compilation unit, in front of their FDEs.
 */
#define CFI_CIE_CACHE 64

/* Bytes of a CIE's program that are run: it is run again each time the CIE was
 * displaced from the cache, so this bounds the work for one FDE. Real ones have
 * less than 64.
 */
#define CFI_MAX_CIE 4096

/**
 * struct cfi_entries - a position in a section
 * @s: borrowed
 * @arch: of the file
 * @pos: offset of the next entry
 * @valid: which of @cies are filled
 * @cies: by offset
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
 * @offset: of the entry
 * @cie: its CIE, until the next entry is read
 * @start: link-time address
 * @len: bytes of text
 * @program: its instructions
 */
struct cfi_head {
	u64 offset;
	const struct cfi_cie *cie;
	u64 start;
	u64 len;
	struct ustack_cursor program;
};

/* Starts in front of the first entry. */
void cfi_entries_init(struct cfi_entries *e, const struct cfi_section *s,
		      const struct ustack_arch *arch);

/**
 * cfi_entries_next() - read the next FDE
 * @e: the position; goes on behind what is lost
 * @ret: the FDE; if it is lost only what could be read, and @ret->offset
 * @loss: why it is lost, or empty
 *
 * Zero words end nothing: a section is put together from several files, some of
 * which had a terminator (crtend.o's is in the middle if it is not linked last).
 *
 * Return: false at the end.
 */
bool cfi_entries_next(struct cfi_entries *e, struct cfi_head *ret,
		      struct cfi_loss *loss);

#endif /* USTACK_USER_SFRAME_CFI_ENTRY_H */
