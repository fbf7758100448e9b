/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the functions of Symbian's BSYM files (formats/bsym/bsym.h) for a GSYM file. */
#ifndef USTACK_USER_CONVERT_FROM_BSYM_H
#define USTACK_USER_CONVERT_FROM_BSYM_H

#include "formats/gsym/build.h"

/**
 * struct gsym_bsym - what was found in a BSYM file
 * @symbols: number of symbols taken
 * @named: number of symbols left out because the part had names for some of their bytes
 * @relocatable: number of symbols left out because their code segment is relocatable: all
 *               such segments have the same addresses
 * @damaged: number of symbols left out because they or their names are not within the
 *           file
 */
struct gsym_bsym {
	uint64_t symbols;
	uint64_t named;
	uint64_t relocatable;
	uint64_t damaged;
};

/**
 * gsym_from_bsym() - add a file's functions to a part
 * @path: path of a BSYM file of any version
 * @others: leave out symbols that share a byte with a function of @part
 * @part: the part that gets the functions. A symbol's order is its number. Names are
 *        written in full, with prefixes and tokens expanded
 * @ret: what was found; set on success
 * @diag: may be NULL
 *
 * The only code segment of a file is taken even if it is relocatable.
 *
 * Return: 0 or a negative errno. After a failure @part has some of the functions.
 */
int gsym_from_bsym(const char *path, bool others, struct gsym_part *part,
		   struct gsym_bsym *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_BSYM_H */
