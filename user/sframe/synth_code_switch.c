// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognises a jump through a table (synth_code_switch.h) by executing the code from the comparison
 * to the jump with symbols: the compared value is the index, and what depends on nothing but the index
 * and constants is followed. synth_code_cases.c calls it.
 */
#include "sframe/synth_code_switch.h"

#include "sframe/synth_code_flow.h"
#include "sframe/x86_regs.h"

enum kind {
	NOTHING,	/* anything */
	LINEAR,		/* @base + @by * index */
	LOW,		/* the low bytes, as many as were compared, are the index */
	ADDRESS,	/* the entry of 8 bytes at @base + 8 * index */
	DISTANCE,	/* the entry of 4 bytes at @base + 4 * index, extended by its sign */
	DISTANCE_LOW,	/* the same, extended by zeros */
	SUM,		/* DISTANCE + @base */
};

/**
 * struct value - content of a register
 * @kind: enum kind
 * @by: for LINEAR
 * @base: see enum kind
 */
struct value {
	u8 kind;
	u8 by;
	u64 base;
};

/**
 * struct way - the code from a comparison to a jump
 * @f: the analysis
 * @reg: registers
 * @compare: the comparison
 * @last: largest index
 * @fresh: mask of registers that were not written since the comparison
 * @wanted: register that the address of a table is in, if it was not written since; or X86_NO_REG
 * @in_memory: the compared value is still in memory, and so is the address of it in registers
 */
struct way {
	struct code_flow *f;
	struct value reg[X86_NO_REG];
	struct x86_regs compare;
	u64 last;
	u16 fresh;
	u8 wanted;
	bool in_memory;
};

bool code_switch_may_begin(const u8 *code, u32 len)
{
	u32 at = 0;

	if (at < len && code[at] == 0x66)
		at++;
	if (at < len && (code[at] & 0xf0) == 0x40)
		at++;
	if (at + 1 >= len)
		return false;
	if (code[at] == 0x3c || code[at] == 0x3d)
		return true;
	return (code[at] == 0x80 || code[at] == 0x81 || code[at] == 0x83) &&
	       (code[at + 1] >> 3 & 7) == 7;
}

/* The low 4 bytes of @v, extended by zeros. */
static struct value truncated(const struct way *w, struct value v)
{
	if (v.kind == LINEAR && v.base <= UINT32_MAX && v.base + v.by * w->last <= UINT32_MAX)
		return v;
	return (struct value){ .kind = v.kind == LOW || v.kind == DISTANCE_LOW ? v.kind : NOTHING };
}

/* The compared value; @bytes of it are read. */
static struct value index_of(const struct way *w, u8 bytes, bool sign)
{
	u64 limit = bytes >= 8 ? UINT64_MAX : (1ull << (8 * bytes - sign)) - 1;

	/* with fewer bytes than were compared, or a sign in them, it is not the index */
	if (bytes != w->compare.bytes || w->last > limit)
		return (struct value){ .kind = NOTHING };
	return (struct value){ .kind = LINEAR, .by = 1 };
}

static struct value copied(const struct way *w, const struct x86_regs *x)
{
	struct value v = w->reg[x->from];

	if (x->bytes == 8)
		return v;
	if (v.kind == LOW)
		return x->bytes == 4 && !x->sign && w->compare.bytes < 4 ?
		       v : index_of(w, x->bytes, x->sign);
	if (x->bytes == 4 && v.kind == DISTANCE_LOW && x->sign)
		return (struct value){ .kind = DISTANCE, .base = v.base };
	if (x->bytes == 4 && v.kind == DISTANCE && !x->sign)
		return (struct value){ .kind = DISTANCE_LOW, .base = v.base };
	if (v.kind != LINEAR)
		return (struct value){ .kind = NOTHING };
	if (v.base + v.by * w->last <= (1ull << (8 * x->bytes - 1)) - 1 &&
	    v.base <= (1ull << (8 * x->bytes - 1)) - 1)
		return v;
	return x->bytes == 4 && !x->sign ? truncated(w, v) : (struct value){ .kind = NOTHING };
}

static struct value sum(struct value a, struct value b)
{
	if (a.kind == LINEAR && b.kind == LINEAR && a.by + b.by <= 8)
		return (struct value){ .kind = LINEAR, .by = a.by + b.by, .base = a.base + b.base };
	if (a.kind == LINEAR && b.kind == DISTANCE)
		return sum(b, a);
	/* distances count from the table */
	if (a.kind == DISTANCE && b.kind == LINEAR && !b.by && a.base == b.base)
		return (struct value){ .kind = SUM, .base = a.base };
	return (struct value){ .kind = NOTHING };
}

/* The address of a memory operand. */
static struct value address(const struct way *w, const struct x86_regs *x)
{
	struct value v = { .kind = LINEAR, .base = x->at }, i;

	if (x->base != X86_NO_REG)
		v = sum(v, w->reg[x->base]);
	if (x->index == X86_NO_REG)
		return v;
	i = w->reg[x->index];
	if (i.kind != LINEAR || i.by * x->scale > 8)
		return (struct value){ .kind = NOTHING };
	i.by *= x->scale;
	i.base *= x->scale;
	return sum(v, i);
}

/* Whether the operand is the memory that was compared. */
static bool is_compared(const struct way *w, const struct x86_regs *x)
{
	const struct x86_regs *c = &w->compare;

	return w->in_memory && x->base == c->base && x->index == c->index &&
	       x->scale == c->scale && x->at == c->at;
}

/* Notes that the table is addressed by a register with an unknown value. */
static void want_base(struct way *w, const struct x86_regs *x)
{
	struct value i = { .kind = NOTHING };

	if (x->index != X86_NO_REG)
		i = w->reg[x->index];
	if (i.kind == LINEAR && i.by * x->scale == x->bytes && x->base != X86_NO_REG &&
	    w->fresh & 1u << x->base)
		w->wanted = x->base;
}

static struct value loaded(struct way *w, const struct x86_regs *x)
{
	struct value v = address(w, x);

	if (is_compared(w, x))
		return index_of(w, x->bytes, x->sign);
	if (v.kind == NOTHING)
		want_base(w, x);
	if (v.kind != LINEAR || v.by != x->bytes)
		return (struct value){ .kind = NOTHING };
	if (x->bytes == 8)
		return (struct value){ .kind = ADDRESS, .base = v.base };
	if (x->bytes == 4)
		return (struct value){ .kind = x->sign ? DISTANCE : DISTANCE_LOW, .base = v.base };
	return (struct value){ .kind = NOTHING };
}

static struct value result(struct way *w, const struct x86_regs *x)
{
	struct value v = { .kind = LINEAR, .base = x->value };

	switch (x->action) {
	case X86_COPIES:
		v = copied(w, x);
		return x->narrow && x->sign ? truncated(w, v) : v;
	case X86_LOADS:
		v = loaded(w, x);
		return x->narrow && x->sign ? truncated(w, v) : v;
	case X86_ADDRESSES:
		v = address(w, x);
		break;
	case X86_SETS:
		break;
	case X86_ADDS:
		return sum(w->reg[x->to], w->reg[x->from]);
	case X86_ADDS_VALUE:
		v = sum(w->reg[x->to], v);
		break;
	default:
		return (struct value){ .kind = NOTHING };
	}
	return x->bytes == 8 ? v : truncated(w, v);
}

static bool is_written(const struct x86_regs *x, u8 reg)
{
	return reg != X86_NO_REG && x->writes & 1u << reg;
}

static void execute(struct way *w, const struct x86_regs *x)
{
	struct value v = result(w, x);
	unsigned int i;

	for (i = 0; i < X86_NO_REG; i++)
		if (x->writes & 1u << i)
			w->reg[i].kind = NOTHING;
	w->fresh &= (u16)~x->writes;
	if (v.kind != NOTHING)
		w->reg[x->to] = v;
	if (x->stores || is_written(x, w->compare.base) || is_written(x, w->compare.index))
		w->in_memory = false;
}

static void read_regs(const struct code_step *s, struct x86_regs *ret)
{
	u32 off = s->at - s->area->first;

	x86_regs_read(s->area->bytes + off, &s->insn, s->area->start + off, ret);
}

/* Reads the comparison at @at, whose operand is the index, and starts after it. Return: whether it is one. */
static bool begin(struct way *w, u32 at, struct code_step *s)
{
	struct x86_regs *c = &w->compare;

	if (!code_flow_step(w->f, at, s) || s->insn.kind != X86_OTHER)
		return false;
	read_regs(s, c);
	w->last = c->value;
	w->fresh = 0xffff;
	w->wanted = X86_NO_REG;
	w->in_memory = c->action == X86_COMPARES_MEMORY;
	if (c->action == X86_COMPARES)
		w->reg[c->from] = c->bytes < 4 ? (struct value){ .kind = LOW } :
						 (struct value){ .kind = LINEAR, .by = 1 };
	return c->action == X86_COMPARES || w->in_memory;
}

/* The condition of a branch: the low bits of its opcode. */
static u8 condition(const struct code_step *s)
{
	const u8 *p = s->area->bytes + (s->at - s->area->first), *end = p + s->insn.len;

	while (p < end && (*p == 0x2e || *p == 0x3e || *p == 0xf2))
		p++;
	if (end - p == 2 && (p[0] & 0xf0) == 0x70)
		return p[0] & 15;
	return end - p == 6 && p[0] == 0x0f && (p[1] & 0xf0) == 0x80 ? p[1] & 15 : UINT8_MAX;
}

/* Goes the branch's way for small indexes. Return: the next byte, or CODE_NOWHERE. */
static u32 branch(struct way *w, const struct code_step *s, struct code_switch *ret)
{
	u8 c = condition(s);
	u32 next = code_step_next(w->f, s), to = code_step_target(w->f, s);

	ret->branch = s->at;
	/* jae and jb leave out the compared value itself; if it is 0, the result is too large */
	if (c == 2 || c == 3)
		w->last--;
	if (c == 7 || c == 3) {		/* ja, jae */
		ret->otherwise = to;
		return next;
	}
	if (c == 6 || c == 2) {		/* jbe, jb */
		ret->otherwise = next;
		return to;
	}
	return CODE_NOWHERE;
}

/* Goes on to the branch that tests the comparison. Return: as branch(). */
static u32 to_branch(struct way *w, struct code_step *s, struct code_switch *ret)
{
	struct x86_regs x;
	unsigned int i;
	u32 at;

	for (i = 0; i < CODE_MAX_WAY; i++) {
		at = code_step_next(w->f, s);
		if (at == CODE_NOWHERE || !code_flow_step(w->f, at, s))
			return CODE_NOWHERE;
		if (s->insn.kind == X86_BRANCH)
			return branch(w, s, ret);
		read_regs(s, &x);
		if (s->insn.kind != X86_OTHER || x.flags)
			return CODE_NOWHERE;
		execute(w, &x);
	}
	return CODE_NOWHERE;
}

/* Finds the table that the jump @s reads, by the registers. */
static void read_jump(struct way *w, const struct code_step *s, struct code_switch *ret)
{
	struct value v = { .kind = NOTHING };
	struct x86_regs x;

	read_regs(s, &x);
	ret->jump = s->at;
	if (x.action == X86_GOES)
		v = w->reg[x.from];
	else if (x.action == X86_GOES_BY_MEMORY)
		v = loaded(w, &x);
	if (v.kind != ADDRESS && v.kind != SUM)
		return;
	ret->table = v.base;
	ret->bytes = v.kind == SUM ? 4 : 8;
	ret->nr = (u32)w->last + 1;
}

/* Goes on from @at to the jump. */
static bool to_jump(struct way *w, u32 at, struct code_switch *ret)
{
	struct code_step s;
	struct x86_regs x;
	unsigned int i;

	for (i = 0; i < CODE_MAX_WAY && at != CODE_NOWHERE; i++) {
		if (!code_flow_step(w->f, at, &s))
			return false;
		if (s.insn.kind == X86_JUMP && !s.insn.to) {
			read_jump(w, &s, ret);
			return true;
		}
		if (s.insn.kind == X86_JUMP) {
			at = code_step_target(w->f, &s);
			continue;
		}
		read_regs(&s, &x);
		if (s.insn.kind != X86_OTHER)
			return false;
		execute(w, &x);
		at = code_step_next(w->f, &s);
	}
	return false;
}

/* Goes the whole way from the comparison @at. */
static bool go(struct way *w, u32 at, struct code_switch *ret)
{
	struct code_step s;
	u32 next;

	*ret = (struct code_switch){ .compare = at, .otherwise = CODE_NOWHERE };
	if (!begin(w, at, &s) || w->last > CODE_MAX_CASES)
		return false;
	next = to_branch(w, &s, ret);
	return next != CODE_NOWHERE && w->last < CODE_MAX_CASES && to_jump(w, next, ret);
}

bool code_switch_read(struct code_flow *f, u32 at, struct code_switch *ret)
{
	struct way w = { .f = f }, again = { .f = f };
	struct value base = { .kind = LINEAR };

	if (!go(&w, at, ret))
		return false;
	if (ret->nr || w.wanted == X86_NO_REG || !code_base_find(f, at, w.wanted, &base.base))
		return true;
	again.reg[w.wanted] = base;
	if (!go(&again, at, ret))
		return false;
	ret->early = true;
	return true;
}
