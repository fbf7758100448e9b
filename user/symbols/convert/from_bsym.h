/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbian's BSYM files (formats/bsym/bsym.h) as functions for a GSYM file. */
#ifndef USTACK_USER_CONVERT_FROM_BSYM_H
#define USTACK_USER_CONVERT_FROM_BSYM_H

#include "formats/gsym/build.h"

/**
 * struct gsym_bsym - what was found in a file
 * @symbols: that were taken
 * @named: left out, as the part had names for some of their bytes
 * @relocatable: left out, of relocatable code segments: their addresses are all the same
 * @damaged: left out, as they or their names are not in the file
 */
struct gsym_bsym {
	uint64_t symbols;
	uint64_t named;
	uint64_t relocatable;
	uint64_t damaged;
};

/**
 * gsym_from_bsym() - add a file's functions
 * @path: of any version
 * @others: leave out what functions of @part have any byte of
 * @part: that they are added to; a symbol's order is its number. Names are whole, with
 *        prefixes and tokens expanded
 * @ret: on success
 * @diag: may be NULL
 *
 * Of a file with one code segment, that is taken, relocatable or not.
 *
 * Return: 0 or a negative errno. After a failure @part has some of the functions.
 */
int gsym_from_bsym(const char *path, bool others, struct gsym_part *part,
		   struct gsym_bsym *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_BSYM_H */
