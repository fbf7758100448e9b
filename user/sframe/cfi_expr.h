/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the expressions in CFI mean, where they mean something that a rule of
 * registers and offsets can say. Linkers, libc and compilers write few kinds.
 */
#ifndef USTACK_USER_SFRAME_CFI_EXPR_H
#define USTACK_USER_SFRAME_CFI_EXPR_H

#include "core.h"

enum cfi_expr_kind {
	CFI_EXPR_OTHER,	/* anything else, malformed ones too */
	CFI_EXPR_REG,	/* reg + off, or with deref *(reg + off) + add */
	CFI_EXPR_CFA,	/* CFA + off, or with deref *(CFA + off) + add */
	CFI_EXPR_PLT,	/* rsp + 8 + ((rip & 15) >= plt ? 8 : 0), of x86-64 PLTs */
};

/**
 * struct cfi_expr - an expression's value
 * @kind: what it is
 * @deref: a word is read
 * @plt: for CFI_EXPR_PLT
 * @reg: DWARF number for CFI_EXPR_REG
 * @off: added in front of the read, or without one
 * @add: added behind the read
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
 * @len: of it
 * @has_cfa: the CFA is on the stack first, as it is for registers (CFI_EXPR,
 *           CFI_VAL_EXPR of ra, fp, sp) and is not for the CFA itself
 *
 * The value is that of the expression. CFI_EXPR says that the register is saved
 * there: one more read than what is returned.
 */
struct cfi_expr cfi_expr_read(const u8 *bytes, u32 len, bool has_cfa);

#endif /* USTACK_USER_SFRAME_CFI_EXPR_H */
