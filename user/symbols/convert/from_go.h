/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of Go programs that were stripped, or linked with -s -w: Go's own table of functions,
 * which no linker leaves out (sframe/gopclntab.h), has their names.
 */
#ifndef USTACK_USER_CONVERT_FROM_GO_H
#define USTACK_USER_CONVERT_FROM_GO_H

#include "formats/gsym/build.h"

/**
 * gsym_from_go() - add the functions of Go's table that have no name yet
 * @path: linked ELF file
 * @part: has the functions with names, and gets the others
 * @ret: number of those that were added
 * @diag: may be NULL
 *
 * A function that has any code of one in @part is left out whole. A file without such a table, or
 * with a damaged one, adds none.
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_from_go(const char *path, struct gsym_part *part, uint64_t *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_GO_H */
