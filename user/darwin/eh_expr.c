// SPDX-License-Identifier: GPL-2.0-only
/* A stack machine for DWARF expressions over a captured frame. eh_frame.c calls it. */
#include "darwin/eh_expr.h"

#include <dwarf.h>
#include <errno.h>

#include "sframe/cfi_read.h"

/**
 * struct eval - state of a running expression
 * @env: the frame
 * @c: cursor, after the present operation
 * @depth: number of values on the stack
 * @v: the stack
 * @why: why it failed, or NULL
 * @err: negative errno if @why is set
 */
struct eval {
	const struct eh_expr_env *env;
	struct ustack_cursor c;
	u32 depth;
	u64 v[EH_EXPR_DEPTH];
	const char *why;
	int err;
};

static bool fail(struct eval *e, int err, const char *why)
{
	if (!e->why) {
		e->why = why;
		e->err = -err;
	}
	return false;
}

static u64 cut(const struct eval *e, u64 v)
{
	return e->env->word == 4 ? (u32)v : v;
}

static bool push(struct eval *e, u64 v)
{
	if (e->depth == EH_EXPR_DEPTH)
		return fail(e, EBADMSG, "an expression's stack is too deep");
	e->v[e->depth++] = cut(e, v);
	return true;
}

static bool pop(struct eval *e, u64 *ret)
{
	if (!e->depth)
		return fail(e, EBADMSG, "an expression takes what is not on its stack");
	*ret = e->v[--e->depth];
	return true;
}

static s64 with_sign(const struct eval *e, u64 v)
{
	return e->env->word == 4 ? (s32)v : (s64)v;
}

static bool push_reg(struct eval *e, u64 reg, s64 off)
{
	u64 v;

	if (!e->env->reg(e->env->arg, reg, &v))
		return fail(e, ENODATA, "an expression needs a register that is not known");
	return push(e, v + (u64)off);
}

static bool push_constant(struct eval *e, u8 op)
{
	struct ustack_cursor *c = &e->c;

	switch (op) {
	case DW_OP_const1u:
		return push(e, ustack_cursor_u8(c));
	case DW_OP_const1s:
		return push(e, (u64)(s64)(s8)ustack_cursor_u8(c));
	case DW_OP_const2u:
		return push(e, ustack_cursor_u16(c));
	case DW_OP_const2s:
		return push(e, (u64)(s64)(s16)ustack_cursor_u16(c));
	case DW_OP_const4u:
		return push(e, ustack_cursor_u32(c));
	case DW_OP_const4s:
		return push(e, (u64)(s64)(s32)ustack_cursor_u32(c));
	case DW_OP_const8u:
	case DW_OP_const8s:
		return push(e, ustack_cursor_u64(c));
	case DW_OP_addr:
		return push(e, e->env->word == 4 ? ustack_cursor_u32(c) : ustack_cursor_u64(c));
	case DW_OP_constu:
		return push(e, cfi_uleb(c));
	case DW_OP_consts:
		return push(e, (u64)cfi_sleb(c));
	}
	return fail(e, EBADMSG, "an expression has an operation that is not known here");
}

static bool pick(struct eval *e, u32 n)
{
	if (n >= e->depth)
		return fail(e, EBADMSG, "an expression takes what is not on its stack");
	return push(e, e->v[e->depth - 1 - n]);
}

/* Rotates the top @n values: the top one becomes the lowest of them. */
static bool rotate(struct eval *e, u32 n)
{
	u64 top;
	u32 i;

	if (e->depth < n)
		return fail(e, EBADMSG, "an expression takes what is not on its stack");
	top = e->v[e->depth - 1];
	for (i = e->depth - 1; i > e->depth - n; i--)
		e->v[i] = e->v[i - 1];
	e->v[e->depth - n] = top;
	return true;
}

static bool shift(struct eval *e, u8 op, u64 a, u64 b)
{
	unsigned int bits = e->env->word * 8;

	if (op == DW_OP_shra)
		return push(e, (u64)(with_sign(e, a) >> (b < bits ? b : bits - 1)));
	if (b >= bits)
		return push(e, 0);
	return push(e, op == DW_OP_shl ? a << b : a >> b);
}

static bool divide(struct eval *e, u8 op, u64 a, u64 b)
{
	if (!b)
		return fail(e, EBADMSG, "an expression divides by 0");
	if (op == DW_OP_mod)
		return push(e, a % b);
	/* INT_MIN / -1 overflows; negation wraps instead */
	if (with_sign(e, b) == -1)
		return push(e, 0 - a);
	return push(e, (u64)(with_sign(e, a) / with_sign(e, b)));
}

static bool two(struct eval *e, u8 op)
{
	u64 a, b;

	if (!pop(e, &b) || !pop(e, &a))
		return false;
	switch (op) {
	case DW_OP_plus:
		return push(e, a + b);
	case DW_OP_minus:
		return push(e, a - b);
	case DW_OP_mul:
		return push(e, a * b);
	case DW_OP_and:
		return push(e, a & b);
	case DW_OP_or:
		return push(e, a | b);
	case DW_OP_xor:
		return push(e, a ^ b);
	case DW_OP_div:
	case DW_OP_mod:
		return divide(e, op, a, b);
	case DW_OP_eq:
		return push(e, a == b);
	case DW_OP_ne:
		return push(e, a != b);
	case DW_OP_lt:
		return push(e, with_sign(e, a) < with_sign(e, b));
	case DW_OP_le:
		return push(e, with_sign(e, a) <= with_sign(e, b));
	case DW_OP_gt:
		return push(e, with_sign(e, a) > with_sign(e, b));
	case DW_OP_ge:
		return push(e, with_sign(e, a) >= with_sign(e, b));
	}
	return shift(e, op, a, b);
}

static bool one(struct eval *e, u8 op)
{
	u64 a;

	if (!pop(e, &a))
		return false;
	switch (op) {
	case DW_OP_abs:
		return push(e, with_sign(e, a) < 0 ? 0 - a : a);
	case DW_OP_neg:
		return push(e, 0 - a);
	case DW_OP_not:
		return push(e, ~a);
	case DW_OP_plus_uconst:
		return push(e, a + cfi_uleb(&e->c));
	case DW_OP_deref:
		if (!e->env->read(e->env->arg, a, &a))
			return fail(e, ENODATA, "an expression reads memory that is not there");
		return push(e, a);
	}
	return true;	/* DW_OP_drop */
}

static bool jump(struct eval *e, u8 op)
{
	s64 to = (s16)ustack_cursor_u16(&e->c);
	u64 v = 1;

	if (op == DW_OP_bra && !pop(e, &v))
		return false;
	if (!v)
		return true;
	to += e->c.pos;
	if (to < 0 || to > (s64)e->c.end)
		return fail(e, EBADMSG, "an expression jumps out of itself");
	e->c.pos = (u32)to;
	return true;
}

static bool run(struct eval *e, u8 op)
{
	if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
		return push(e, op - DW_OP_lit0);
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		return push_reg(e, op - DW_OP_breg0, cfi_sleb(&e->c));
	if (op >= DW_OP_eq && op <= DW_OP_ne)
		return two(e, op);
	switch (op) {
	case DW_OP_bregx: {
		u64 reg = cfi_uleb(&e->c);

		return push_reg(e, reg, cfi_sleb(&e->c));
	}
	case DW_OP_dup:
		return pick(e, 0);
	case DW_OP_over:
		return pick(e, 1);
	case DW_OP_pick:
		return pick(e, ustack_cursor_u8(&e->c));
	case DW_OP_swap:
		return rotate(e, 2);
	case DW_OP_rot:
		return rotate(e, 3);
	case DW_OP_bra:
	case DW_OP_skip:
		return jump(e, op);
	case DW_OP_nop:
		return true;
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_plus_uconst:
	case DW_OP_deref:
	case DW_OP_drop:
		return one(e, op);
	case DW_OP_and:
	case DW_OP_div:
	case DW_OP_minus:
	case DW_OP_mod:
	case DW_OP_mul:
	case DW_OP_or:
	case DW_OP_plus:
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
	case DW_OP_xor:
		return two(e, op);
	}
	return push_constant(e, op);
}

int eh_expr_eval(const uint8_t *bytes, uint32_t len, const struct eh_expr_env *env,
		 const uint64_t *first, uint64_t *ret, const char **why)
{
	struct eval e;
	u32 steps;

	e.env = env;
	e.depth = 0;
	e.why = NULL;
	ustack_cursor_init(&e.c, bytes, 0, len);
	if (first)
		push(&e, *first);
	for (steps = 0; e.c.pos < e.c.end; steps++) {
		if (steps == EH_EXPR_STEPS) {
			fail(&e, EBADMSG, "an expression does not end");
			break;
		}
		if (!run(&e, ustack_cursor_u8(&e.c)))
			break;
		if (e.c.failed) {
			fail(&e, EBADMSG, "an expression is cut off");
			break;
		}
	}
	if (!e.why)
		pop(&e, ret);
	*why = e.why;
	return e.why ? e.err : 0;
}
