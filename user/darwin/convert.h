/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts compact unwinding, and the __eh_frame that completes it, to ustack's rules and to
 * SFrame, so that the code that unwinds ELF files can unwind Mach-O files, too. For x86-64
 * and arm64.
 *
 * A function has its encoding's rule, except in a prologue or an epilogue, which have rules of
 * their own (unwind_edge.h). FDEs are used where no encoding covers the code. Stubs are
 * functions. Code that neither covers, or that no rule can express, is left out with a reason.
 *
 *	struct macho_rules r = MACHO_RULES_INIT;
 *	err = macho_convert(&image, eh, &r, &diag);	r.funcs, r.gaps
 *	err = err ?: macho_convert_encode(&r, 3, &sec, &diag);
 *	sframe_encoded_release(&sec);
 *	macho_rules_release(&r);
 */
#ifndef USTACK_USER_DARWIN_CONVERT_H
#define USTACK_USER_DARWIN_CONVERT_H

#include "darwin/eh_frame.h"
#include "darwin/image.h"
#include "sframe/encode.h"
#include "sframe/func.h"

/**
 * struct macho_gap - code that has no rule
 * @start: address, as linked
 * @size: number of bytes
 * @name: name of the reason, such as "NONE"; static
 * @text: a sentence; static
 */
struct macho_gap {
	u64 start;
	u64 size;
	const char *name;
	const char *text;
};

/**
 * struct macho_rules - a file's functions
 * @arch: architecture of the file
 * @funcs: ascending, not overlapping
 * @nr_funcs: number of @funcs
 * @gaps: code that was left out
 * @nr_gaps: number of @gaps
 * @compact: number of entries of __unwind_info that became functions
 * @dwarf: number of FDEs that became functions
 * @stubs: number of sections of stubs that became functions
 * @text: from the first function's start to the last one's end
 * @vaddr: address of the section that macho_convert_encode() made
 *
 * The others are private.
 */
struct macho_rules {
	const struct ustack_arch *arch;
	struct sframe_func *funcs;
	size_t nr_funcs;
	struct macho_gap *gaps;
	size_t nr_gaps;
	u64 compact;
	u64 dwarf;
	u64 stubs;
	struct ustack_range text;
	u64 vaddr;

	size_t funcs_room;
	size_t gaps_room;
	struct sframe_row *rows;
	size_t nr_rows;
	size_t rows_room;
	size_t *first;
	size_t first_room;
};

#define MACHO_RULES_INIT { .arch = NULL }

/**
 * macho_convert() - convert a file's unwind information
 * @image: the file
 * @eh: the file's __eh_frame; NULL if it has none
 * @ret: holds MACHO_RULES_INIT; the caller releases it in either case
 * @diag: may be NULL
 *
 * Return: 0, also if there is no function; -EINVAL for x86, which SFrame does not have;
 * -EBADMSG if __unwind_info is damaged; -ENOMEM.
 */
int macho_convert(const struct macho_image *image, struct eh_frame *eh, struct macho_rules *ret,
		  struct diag *diag);

/**
 * macho_convert_encode() - make a section
 * @r: converted; functions that the version cannot express are added to @r->gaps
 * @version: 2 or 3
 * @ret: holds SFRAME_ENCODED_INIT; released by the caller
 * @diag: may be NULL
 *
 * Return: as sframe_encode().
 */
int macho_convert_encode(struct macho_rules *r, unsigned int version, struct sframe_encoded *ret,
			 struct diag *diag);

void macho_rules_release(struct macho_rules *r);

#endif /* USTACK_USER_DARWIN_CONVERT_H */
