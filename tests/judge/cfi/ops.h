/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares expressions as bytes with expressions that libdw has parsed. */
#ifndef USTACK_CFI_OPS_H
#define USTACK_CFI_OPS_H

#include <elfutils/libdw.h>

#include "core.h"

/* Whether they are the same operation; bregx and regx equal their short forms. */
bool op_same(const Dwarf_Op *a, const Dwarf_Op *b);

/* Whether @bytes are the operations @ops, one after the other. */
bool ops_same(const u8 *bytes, u32 len, const Dwarf_Op *ops, size_t nr);

#endif /* USTACK_CFI_OPS_H */
