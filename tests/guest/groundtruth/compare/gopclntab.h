/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader of Go's own table of functions, for names in stripped programs. */
#ifndef GT_GOPCLNTAB_H
#define GT_GOPCLNTAB_H

#include <stddef.h>
#include <stdint.h>

struct syms;

/* adds the functions of Go's table to @t; adds none if the table is not understood */
void gopclntab_read(struct syms *t, const void *data, size_t len, uint64_t text);

#endif /* GT_GOPCLNTAB_H */
