// SPDX-License-Identifier: GPL-2.0-only
/* Parses expressions operation by operation and compares them with libdw's operations. */
#include "ops.h"

#include <dwarf.h>

#include "sframe/cfi_read.h"

static void lengthen(Dwarf_Op *op)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		op->number2 = op->number;
		op->number = op->atom - DW_OP_breg0;
		op->atom = DW_OP_bregx;
	} else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		op->number = op->atom - DW_OP_reg0;
		op->atom = DW_OP_regx;
	}
}

bool op_same(const Dwarf_Op *a, const Dwarf_Op *b)
{
	Dwarf_Op x = *a, y = *b;

	lengthen(&x);
	lengthen(&y);
	return x.atom == y.atom && x.number == y.number && x.number2 == y.number2;
}

static void fixed_operand(struct ustack_cursor *c, Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_pick:
	case DW_OP_deref_size:
		op->number = ustack_cursor_u8(c);
		break;
	case DW_OP_const1s:
		op->number = (u64)(s64)(s8)ustack_cursor_u8(c);
		break;
	case DW_OP_const2u:
		op->number = ustack_cursor_u16(c);
		break;
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip:
		op->number = (u64)(s64)(s16)ustack_cursor_u16(c);
		break;
	case DW_OP_const4u:
		op->number = ustack_cursor_u32(c);
		break;
	case DW_OP_const4s:
		op->number = (u64)(s64)(s32)ustack_cursor_u32(c);
		break;
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_addr:
		op->number = ustack_cursor_u64(c);
		break;
	}
}

static Dwarf_Op read_op(struct ustack_cursor *c)
{
	Dwarf_Op op = { .atom = ustack_cursor_u8(c) };

	if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31)
		op.number = (u64)cfi_sleb(c);
	else if (op.atom == DW_OP_constu || op.atom == DW_OP_plus_uconst ||
		 op.atom == DW_OP_regx)
		op.number = cfi_uleb(c);
	else if (op.atom == DW_OP_consts)
		op.number = (u64)cfi_sleb(c);
	else if (op.atom == DW_OP_bregx) {
		op.number = cfi_uleb(c);
		op.number2 = (u64)cfi_sleb(c);
	} else {
		fixed_operand(c, &op);
	}
	return op;
}

bool ops_same(const u8 *bytes, u32 len, const Dwarf_Op *ops, size_t nr)
{
	struct ustack_cursor c;
	Dwarf_Op op;
	size_t i;

	ustack_cursor_init(&c, bytes, 0, len);
	for (i = 0; i < nr; i++) {
		op = read_op(&c);
		if (c.failed || !op_same(&op, &ops[i]))
			return false;
	}
	return c.pos == c.end;
}
