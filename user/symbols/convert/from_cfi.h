/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of stripped files: where nothing names code, .eh_frame still says where its
 * functions start and end. They are called by their address, "+0x12340", to be shown
 * behind the file's name. Samples of one function then have one name, if no good one.
 */
#ifndef USTACK_USER_CONVERT_FROM_CFI_H
#define USTACK_USER_CONVERT_FROM_CFI_H

#include "formats/gsym/build.h"

/* The first character of such a name. */
#define GSYM_UNNAMED '+'

struct cfi_ranges;

/* What functions of @part have, added to @ret. Return: 0 or -ENOMEM. */
int gsym_named_ranges(const struct gsym_part *part, struct cfi_ranges *ret);

/**
 * gsym_from_cfi() - add what is between functions with names
 * @path: linked ELF file
 * @part: has the functions with names, and gets the others
 * @ret: number of those that were added
 * @diag: may be NULL
 *
 * An entry that has any code of a function in @part is left out whole: what has several
 * entries, or several names, keeps its names. A file without CFI, or with damaged CFI, has
 * the fewer functions.
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_from_cfi(const char *path, struct gsym_part *part, uint64_t *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_CFI_H */
