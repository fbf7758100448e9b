/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions as bytes against expressions as libdw has parsed them. */
#ifndef USTACK_CFI_OPS_H
#define USTACK_CFI_OPS_H

#include <elfutils/libdw.h>

#include "core.h"

/* The same operation; bregx and regx also as their short forms. */
bool op_same(const Dwarf_Op *a, const Dwarf_Op *b);

/* Whether @bytes are the operations @ops, one after the other. */
bool ops_same(const u8 *bytes, u32 len, const Dwarf_Op *ops, size_t nr);

#endif /* USTACK_CFI_OPS_H */
