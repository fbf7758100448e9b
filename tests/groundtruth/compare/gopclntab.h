/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GT_GOPCLNTAB_H
#define GT_GOPCLNTAB_H

#include <stddef.h>
#include <stdint.h>

struct syms;

/* the functions in Go's table of them; of one that is not understood, none */
void gopclntab_read(struct syms *t, const void *data, size_t len, uint64_t text);

#endif /* GT_GOPCLNTAB_H */
