// SPDX-License-Identifier: GPL-2.0-only
/* An evaluator of DWARF expressions (expr.h), written from the standard for this judge only. */
#include "expr.h"

#include <dwarf.h>

#define DEPTH 64u
#define MAX_STEPS 10000u

struct stack {
	uint64_t v[DEPTH];
	unsigned int n;
	const char *error;
};

static void fail(struct stack *s, const char *error)
{
	if (!s->error)
		s->error = error;
}

static void push(struct stack *s, uint64_t v)
{
	if (s->n == DEPTH)
		fail(s, "stack overflow");
	else
		s->v[s->n++] = v;
}

static uint64_t pop(struct stack *s)
{
	if (s->n)
		return s->v[--s->n];
	fail(s, "stack underflow");
	return 0;
}

/* The entry @index places below the top. */
static uint64_t peek(struct stack *s, uint64_t index)
{
	if (index < s->n)
		return s->v[s->n - 1 - index];
	fail(s, "stack underflow");
	return 0;
}

static uint64_t reg(struct expr_frame *f, struct stack *s, uint64_t number)
{
	if (number >= f->nr_regs) {
		fail(s, "a register that the judge does not have");
		return 0;
	}
	f->used |= 1ull << number;
	return f->regs[number];
}

static uint64_t load(struct expr_frame *f, struct stack *s, uint64_t addr,
		     uint64_t bytes)
{
	uint64_t v = 0;

	if (!bytes || bytes > 8)
		fail(s, "a read of more than a word");
	else if (!f->read(f->arg, addr, &v))
		fail(s, "memory that is not there");
	else if (bytes < 8)
		v &= (1ull << 8 * bytes) - 1;
	return v;
}

static uint64_t shift(uint64_t a, uint64_t n, uint8_t op)
{
	if (op == DW_OP_shra)
		return (uint64_t)((int64_t)a >> (n < 64 ? n : 63));
	if (n > 63)
		return 0;
	return op == DW_OP_shl ? a << n : a >> n;
}

/* 2.5.1.4 and 2.5.1.5: operations on two numbers; @a was pushed first. */
static uint64_t binary(struct stack *s, uint8_t op, uint64_t a, uint64_t b)
{
	int64_t x = (int64_t)a, y = (int64_t)b;

	switch (op) {
	case DW_OP_and:
		return a & b;
	case DW_OP_or:
		return a | b;
	case DW_OP_xor:
		return a ^ b;
	case DW_OP_plus:
		return a + b;
	case DW_OP_minus:
		return a - b;
	case DW_OP_mul:
		return a * b;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		return shift(a, b, op);
	case DW_OP_eq:
		return x == y;
	case DW_OP_ne:
		return x != y;
	case DW_OP_lt:
		return x < y;
	case DW_OP_le:
		return x <= y;
	case DW_OP_gt:
		return x > y;
	case DW_OP_ge:
		return x >= y;
	}
	if (!b || (x == INT64_MIN && y == -1)) {
		fail(s, "a division without a result");
		return 0;
	}
	/* division is signed, the remainder is not */
	return op == DW_OP_div ? (uint64_t)(x / y) : a % b;
}

static bool is_binary(uint8_t op)
{
	switch (op) {
	case DW_OP_and:
	case DW_OP_or:
	case DW_OP_xor:
	case DW_OP_plus:
	case DW_OP_minus:
	case DW_OP_mul:
	case DW_OP_div:
	case DW_OP_mod:
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
	case DW_OP_eq:
	case DW_OP_ne:
	case DW_OP_lt:
	case DW_OP_le:
	case DW_OP_gt:
	case DW_OP_ge:
		return true;
	}
	return false;
}

/* 2.5.1.3: operations that only move entries. */
static bool shuffle(struct stack *s, const Dwarf_Op *op)
{
	uint64_t a, b, c;

	switch (op->atom) {
	case DW_OP_dup:
		push(s, peek(s, 0));
		return true;
	case DW_OP_drop:
		pop(s);
		return true;
	case DW_OP_over:
		push(s, peek(s, 1));
		return true;
	case DW_OP_pick:
		push(s, peek(s, op->number));
		return true;
	case DW_OP_swap:
		a = pop(s);
		b = pop(s);
		push(s, a);
		push(s, b);
		return true;
	case DW_OP_rot:
		a = pop(s);
		b = pop(s);
		c = pop(s);
		push(s, a);
		push(s, c);
		push(s, b);
		return true;
	}
	return false;
}

/* Operations that replace one number by another. */
static bool unary(struct expr_frame *f, struct stack *s, const Dwarf_Op *op)
{
	uint64_t a;

	switch (op->atom) {
	case DW_OP_deref:
		push(s, load(f, s, pop(s), 8));
		return true;
	case DW_OP_deref_size:
		push(s, load(f, s, pop(s), op->number));
		return true;
	case DW_OP_plus_uconst:
		push(s, pop(s) + op->number);
		return true;
	case DW_OP_abs:
		a = pop(s);
		push(s, (int64_t)a < 0 ? -a : a);
		return true;
	case DW_OP_neg:
		push(s, -pop(s));
		return true;
	case DW_OP_not:
		push(s, ~pop(s));
		return true;
	}
	return false;
}

/* 2.5.1.1 and 2.5.1.2: operations that push a new number. */
static bool source(struct expr_frame *f, struct stack *s, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		push(s, op->atom - DW_OP_lit0);
		return true;
	}
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		push(s, reg(f, s, op->atom - DW_OP_breg0) + op->number);
		return true;
	}
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		/* libdw has already extended the sign */
		push(s, op->number);
		return true;
	case DW_OP_bregx:
		push(s, reg(f, s, op->number) + op->number2);
		return true;
	case DW_OP_call_frame_cfa:
		if (!f->has_cfa)
			fail(s, "the CFA by itself");
		push(s, f->cfa);
		return true;
	}
	return false;
}

/* The target of a branch: an index, @nr for the end. */
static size_t branch(struct stack *s, const Dwarf_Op *ops, size_t nr, size_t at)
{
	/* relative to the end of the operation, which has three bytes */
	Dwarf_Word to = ops[at].offset + 3 + (Dwarf_Word)(int16_t)ops[at].number;
	size_t i;

	for (i = 0; i < nr; i++)
		if (ops[i].offset == to && ops[i].atom != DW_OP_stack_value)
			return i;
	if (to <= ops[nr - 1].offset)
		fail(s, "a branch into an operation");
	return nr;
}

static void operate(struct expr_frame *f, struct stack *s, const Dwarf_Op *op)
{
	uint64_t b;

	if (is_binary(op->atom)) {
		b = pop(s);
		push(s, binary(s, op->atom, pop(s), b));
	} else if (op->atom != DW_OP_nop && !source(f, s, op) && !unary(f, s, op) &&
		   !shuffle(s, op)) {
		fail(s, "an operation that the judge does not have");
	}
}

const char *expr_value(struct expr_frame *f, const Dwarf_Op *ops, size_t nr,
		       uint64_t *ret)
{
	struct stack s = { .n = 0 };
	unsigned int steps = 0;
	size_t i = 0;
	uint64_t v;

	while (i < nr && !s.error) {
		if (steps++ == MAX_STEPS)
			fail(&s, "an endless expression");
		if (ops[i].atom == DW_OP_skip ||
		    (ops[i].atom == DW_OP_bra && pop(&s))) {
			i = branch(&s, ops, nr, i);
			continue;
		}
		if (ops[i].atom != DW_OP_bra)
			operate(f, &s, &ops[i]);
		i++;
	}
	v = pop(&s);
	if (!s.error)
		*ret = v;
	return s.error;
}

/* 2.6.1.1.3: a register operation alone is a location, not a value. */
static bool is_register(const Dwarf_Op *op, uint64_t *ret)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		*ret = op->atom - DW_OP_reg0;
	else if (op->atom == DW_OP_regx)
		*ret = op->number;
	else
		return false;
	return true;
}

const char *expr_object(struct expr_frame *f, const Dwarf_Op *ops, size_t nr,
			uint64_t *ret)
{
	struct stack s = { .n = 0 };
	const char *error;
	uint64_t v;

	if (nr == 1 && is_register(ops, &v)) {
		v = reg(f, &s, v);
		error = s.error;
	} else if (ops[nr - 1].atom == DW_OP_stack_value) {
		error = expr_value(f, ops, nr - 1, &v);
	} else {
		error = expr_value(f, ops, nr, &v);
		if (!error) {
			v = load(f, &s, v, 8);
			error = s.error;
		}
	}
	if (!error)
		*ret = v;
	return error;
}
