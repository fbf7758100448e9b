/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Meaning of the expressions in CFI, as far as a rule of registers and offsets can
 * express it. Linkers, libc and compilers write few kinds.
 */
#ifndef USTACK_USER_SFRAME_CFI_EXPR_H
#define USTACK_USER_SFRAME_CFI_EXPR_H

#include "core.h"

enum cfi_expr_kind {
	CFI_EXPR_OTHER,	/* any other expression, also a malformed one */
	CFI_EXPR_REG,	/* reg + off, or with deref *(reg + off) + add */
	CFI_EXPR_CFA,	/* CFA + off, or with deref *(CFA + off) + add */
	CFI_EXPR_PLT,	/* rsp + 8 + ((rip & 15) >= plt ? 8 : 0), in x86-64 PLTs */
};

/**
 * struct cfi_expr - an expression's value
 * @kind: form of the value
 * @deref: the value is read from memory
 * @plt: offset of the push in a PLT entry, for CFI_EXPR_PLT
 * @reg: DWARF register number for CFI_EXPR_REG
 * @off: number of bytes added before the read, or the only offset without a read
 * @add: number of bytes added after the read
 */
struct cfi_expr {
	enum cfi_expr_kind kind;
	bool deref;
	u8 plt;
	u16 reg;
	s64 off;
	s64 add;
};

/**
 * cfi_expr_read() - recognise an expression
 * @bytes: a DWARF expression
 * @len: number of bytes of @bytes
 * @has_cfa: the CFA is on the stack at the start: true for registers (CFI_EXPR,
 *           CFI_VAL_EXPR of ra, fp, sp), false for the CFA itself
 *
 * The result is the value of the expression. For CFI_EXPR it is the address at
 * which the register is saved, so the caller has to read once more.
 */
struct cfi_expr cfi_expr_read(const u8 *bytes, u32 len, bool has_cfa);

#endif /* USTACK_USER_SFRAME_CFI_EXPR_H */
