/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds the functions of Go programs that were stripped or linked with -s -w. Go's own
 * table of functions (sframe/gopclntab.h), which no linker leaves out, has their names.
 */
#ifndef USTACK_USER_CONVERT_FROM_GO_H
#define USTACK_USER_CONVERT_FROM_GO_H

#include "formats/gsym/build.h"

/**
 * @path: path of a linked ELF file
 * @part: has the functions with names, and gets the others
 * @ret: number of functions added
 * @diag: may be NULL
 *
 * A function that shares any code with one in @part is left out as a whole. A file with
 * no such table, or a damaged one, adds nothing.
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_from_go(const char *path, struct gsym_part *part, uint64_t *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_GO_H */
