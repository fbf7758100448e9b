/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code segments for BSYM files, made from GSYM or ELF files; formats/bsym/build.h writes
 * the file.
 */
#ifndef USTACK_USER_CONVERT_BSYM_FROM_GSYM_H
#define USTACK_USER_CONVERT_BSYM_FROM_GSYM_H

#include "formats/bsym/build.h"

/**
 * bsym_from_gsym() - a GSYM file's functions as one code segment
 * @path: path of the GSYM file
 * @name: name of the new code segment
 * @n: the BSYM file being built; it gets the code segment
 * @ret: number of symbols taken and left out; set on success
 * @diag: may be NULL
 *
 * A function without a size reaches to the next function; the last one is left out.
 *
 * Return: 0 or a negative errno.
 */
int bsym_from_gsym(const char *path, const char *name, struct bsym_new *n,
		   struct bsym_source *ret, struct diag *diag);

/* The same for the symbol tables of an ELF file, by way of a GSYM file in memory. */
int bsym_from_elf(const char *path, const char *name, struct bsym_new *n,
		  struct bsym_source *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_BSYM_FROM_GSYM_H */
