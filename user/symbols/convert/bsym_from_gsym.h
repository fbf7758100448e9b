/* SPDX-License-Identifier: GPL-2.0-only */
/* BSYM files of what GSYM files and ELF files know: formats/bsym/build.h puts them together. */
#ifndef USTACK_USER_CONVERT_BSYM_FROM_GSYM_H
#define USTACK_USER_CONVERT_BSYM_FROM_GSYM_H

#include "formats/bsym/build.h"

/**
 * bsym_from_gsym() - a GSYM file's functions as one code segment
 * @path: of the GSYM file
 * @name: of the code segment
 * @n: gets it
 * @ret: on success
 * @diag: may be NULL
 *
 * A function without size reaches to the next; the last one is left out.
 *
 * Return: 0 or a negative errno.
 */
int bsym_from_gsym(const char *path, const char *name, struct bsym_new *n,
		   struct bsym_source *ret, struct diag *diag);

/* An ELF file's symbol tables, likewise: what bsym_from_gsym() makes of their GSYM. */
int bsym_from_elf(const char *path, const char *name, struct bsym_new *n,
		  struct bsym_source *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_BSYM_FROM_GSYM_H */
