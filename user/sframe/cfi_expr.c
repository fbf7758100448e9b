// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a DWARF expression on symbolic values and returns its result as a register
 * or the CFA plus offsets, if it has that form. The expression of ld's PLTs is
 * recognised by its bytes.
 */
#include "sframe/cfi_expr.h"

#include <dwarf.h>

#include "sframe/cfi_read.h"

/* Depth of the stack in recognised expressions; those of PLTs are compared whole. */
#define MAX_STACK 4

/* A number on the stack: [*](base + off) [+ add] */
struct value {
	enum { CONST, REG, CFA } base;
	bool deref;
	u16 reg;
	s64 off;
	s64 add;
};

struct stack {
	struct ustack_cursor c;
	bool has_cfa;
	u32 depth;
	struct value v[MAX_STACK];
};

static bool push(struct stack *s, struct value v)
{
	if (s->depth == MAX_STACK)
		return false;
	s->v[s->depth++] = v;
	return true;
}

static bool push_const(struct stack *s, s64 n)
{
	return push(s, (struct value){ .base = CONST, .off = n });
}

static bool push_reg(struct stack *s, u64 reg)
{
	s64 off = cfi_sleb(&s->c);

	if (reg > UINT16_MAX)
		return false;
	return push(s, (struct value){ .base = REG, .reg = (u16)reg, .off = off });
}

/* Adds @n to the value on top. DWARF lets offsets wrap; no real one does. */
static bool add_const(struct stack *s, s64 n)
{
	struct value *top;
	s64 *at;

	if (!s->depth)
		return false;
	top = &s->v[s->depth - 1];
	at = top->deref ? &top->add : &top->off;
	return !__builtin_add_overflow(*at, n, at);
}

static bool plus(struct stack *s)
{
	struct value *a, b;
	s64 n;

	if (s->depth < 2)
		return false;
	a = &s->v[s->depth - 2];
	b = s->v[--s->depth];
	if (b.base == CONST)
		return add_const(s, b.off);
	if (a->base != CONST)
		return false;
	n = a->off;
	*a = b;
	return add_const(s, n);
}

static bool minus(struct stack *s)
{
	struct value b;

	if (s->depth < 2)
		return false;
	b = s->v[--s->depth];
	return b.base == CONST && b.off != INT64_MIN && add_const(s, -b.off);
}

static bool deref(struct stack *s)
{
	struct value *top;

	if (!s->depth)
		return false;
	top = &s->v[s->depth - 1];
	if (top->deref || top->base == CONST)
		return false;
	top->deref = true;
	return true;
}

static bool constant(struct stack *s, u8 op)
{
	struct ustack_cursor *c = &s->c;
	u64 n;

	switch (op) {
	case DW_OP_const1u:
		return push_const(s, ustack_cursor_u8(c));
	case DW_OP_const1s:
		return push_const(s, (s8)ustack_cursor_u8(c));
	case DW_OP_const2u:
		return push_const(s, ustack_cursor_u16(c));
	case DW_OP_const2s:
		return push_const(s, (s16)ustack_cursor_u16(c));
	case DW_OP_const4u:
		return push_const(s, ustack_cursor_u32(c));
	case DW_OP_const4s:
		return push_const(s, (s32)ustack_cursor_u32(c));
	case DW_OP_const8s:
		return push_const(s, (s64)ustack_cursor_u64(c));
	case DW_OP_consts:
		return push_const(s, cfi_sleb(c));
	case DW_OP_const8u:
	case DW_OP_constu:
		n = op == DW_OP_constu ? cfi_uleb(c) : ustack_cursor_u64(c);
		return n <= INT64_MAX && push_const(s, (s64)n);
	}
	return false;
}

static bool step(struct stack *s, u8 op)
{
	u64 n;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
		return push_const(s, op - DW_OP_lit0);
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		return push_reg(s, op - DW_OP_breg0);
	switch (op) {
	case DW_OP_bregx:
		return push_reg(s, cfi_uleb(&s->c));
	case DW_OP_call_frame_cfa:
		/* undefined in the CFA's own expression: it would need itself */
		return s->has_cfa && push(s, (struct value){ .base = CFA });
	case DW_OP_plus_uconst:
		n = cfi_uleb(&s->c);
		return n <= INT64_MAX && add_const(s, (s64)n);
	case DW_OP_plus:
		return plus(s);
	case DW_OP_minus:
		return minus(s);
	case DW_OP_deref:
		return deref(s);
	case DW_OP_nop:
		return true;
	}
	return constant(s, op);
}

/*
 * The expression that ld writes for a PLT whose entries have 16 bytes: after the
 * push at offset @plt the stack is one word deeper.
 */
static bool is_plt(const u8 *bytes, u32 len, u8 *ret)
{
	static const u8 want[] = {
		DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and,
		DW_OP_lit0, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus,
	};
	u8 plt;

	if (len != sizeof(want) || memcmp(bytes, want, 6) ||
	    memcmp(bytes + 7, want + 7, sizeof(want) - 7))
		return false;
	plt = (u8)(bytes[6] - DW_OP_lit0);
	*ret = plt;
	return plt < 16;
}

static struct cfi_expr result(const struct stack *s)
{
	const struct cfi_expr other = { .kind = CFI_EXPR_OTHER };
	const struct value *top;

	if (!s->depth)
		return other;
	top = &s->v[s->depth - 1];
	if (top->base == CONST)
		return other;
	return (struct cfi_expr){
		.kind = top->base == REG ? CFI_EXPR_REG : CFI_EXPR_CFA,
		.deref = top->deref,
		.reg = top->reg,
		.off = top->off,
		.add = top->add,
	};
}

struct cfi_expr cfi_expr_read(const u8 *bytes, u32 len, bool has_cfa)
{
	const struct cfi_expr other = { .kind = CFI_EXPR_OTHER };
	struct stack s = { .has_cfa = has_cfa };
	struct cfi_expr ret = other;

	if (!has_cfa && is_plt(bytes, len, &ret.plt)) {
		ret.kind = CFI_EXPR_PLT;
		return ret;
	}
	if (has_cfa)
		push(&s, (struct value){ .base = CFA });
	ustack_cursor_init(&s.c, bytes, 0, len);
	while (s.c.pos < s.c.end)
		if (!step(&s, ustack_cursor_u8(&s.c)) || s.c.failed)
			return other;
	return result(&s);
}
