/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds the functions of stripped files: where no symbol names the code, .eh_frame still
 * tells where functions start and end. They are named by their address, "+0x12340", which
 * is shown after the file's name. So all samples of one function have the same name, even
 * if it says little.
 */
#ifndef USTACK_USER_CONVERT_FROM_CFI_H
#define USTACK_USER_CONVERT_FROM_CFI_H

#include "formats/gsym/build.h"

/* The first character of the name of such a function. */
#define GSYM_UNNAMED '+'

struct cfi_ranges;

/* Adds the ranges of @part's functions to @ret. Return: 0 or -ENOMEM. */
int gsym_named_ranges(const struct gsym_part *part, struct cfi_ranges *ret);

/**
 * gsym_from_cfi() - add the functions that have no name
 * @path: path of a linked ELF file
 * @part: has the functions with names, and gets the others
 * @ret: number of functions added
 * @diag: may be NULL
 *
 * An entry that shares any code with a function in @part is left out as a whole, so code
 * with a name keeps it. If the CFI is missing or damaged, fewer functions or none are
 * added.
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_from_cfi(const char *path, struct gsym_part *part, uint64_t *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_CFI_H */
