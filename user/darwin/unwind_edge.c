// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows the code of a function from its start, or to its end, to find the rule at an
 * instruction in a prologue or an epilogue. walk.c and rules.c call it.
 */
#include "darwin/unwind_edge.h"

#include <endian.h>
#include <string.h>

#include "darwin/insn.h"
#include "darwin/unwind_step.h"
#include "sframe/synth_leaf.h"
#include "sframe/x86_insn.h"
#include "sframe/x86_stack.h"

#include "util/poison.h"

/* Largest frame in bytes, for which a rule's offsets still fit. */
#define MAX_FRAME 0x40000000

/* Most instructions read from a function's start to find the one before a jump. It bounds the
 * work for a function that is full of such jumps.
 */
#define UNWIND_EDGE_BACK 512u

/* xzr's number in instructions; in DWARF the same number is SP */
#define ARM64_ZR 31u

/* Bytes of the longest step: lea n(%rsp),%rsp with 32 bits of n. */
#define X86_LONGEST_STEP 8u

/* Most instructions read before a frame that is made late, and most branches among them that
 * are followed.
 */
#define UNWIND_LATE_INSNS 128u
#define UNWIND_LATE_WAYS 16u

/**
 * struct edge - state while code is followed
 * @arch: architecture of the code
 * @c: the function
 * @word: number of bytes of a word
 * @sp: bytes that SP has moved by, since the first instruction followed
 * @steps: number of instructions so far that make or remove a frame
 * @nr_slots: number of @slot
 * @slot: for each register of the rule, its slot, relative to the first SP
 * @fp_set: the frame pointer points to this function's frame
 * @fp_saved: x86: the first pushed register was the caller's frame pointer
 */
struct edge {
	enum unwind_arch arch;
	const struct unwind_code *c;
	int32_t word;
	int32_t sp;
	unsigned int steps;
	unsigned int nr_slots;
	int32_t slot[UNWIND_MAX_SAVED];
	bool fp_set;
	bool fp_saved;
};

static struct edge edge_of(enum unwind_arch arch, const struct unwind_code *c)
{
	return (struct edge){ .arch = arch, .c = c, .word = arch == UNWIND_X86 ? 4 : 8 };
}

static void read_at(const struct edge *e, size_t at, struct insn *ret)
{
	if (e->arch == UNWIND_ARM64)
		insn_read_arm64(e->c->bytes + at, e->c->len - at, ret);
	else
		insn_read_x86(e->arch == UNWIND_X86_64, e->c->bytes + at, e->c->len - at, ret);
}

static bool move_sp(struct edge *e, int32_t n)
{
	e->steps++;
	return !__builtin_add_overflow(e->sp, n, &e->sp) && e->sp > -MAX_FRAME &&
	       e->sp < MAX_FRAME;
}

/* Return: whether @i belongs to a prologue, which continues after it. */
static bool enter(struct edge *e, const struct insn *i)
{
	switch (i->kind) {
	case INSN_NOTHING:
		return true;
	case INSN_SP:
		return i->n <= 0 && move_sp(e, i->n);
	case INSN_PUSH:
		e->fp_saved |= !e->sp && i->reg == unwind_frame_reg(e->arch);
		return move_sp(e, -e->word);
	case INSN_STORE:
		return i->n <= 0 && move_sp(e, i->n);
	case INSN_SET_FP:
		/* on x86 only a frame as encodings have it, right below the return address */
		e->fp_set = true;
		return e->arch == UNWIND_ARM64 || (e->fp_saved && e->sp == -e->word);
	default:
		return false;
	}
}

/* Follows the code from @at to @end. Return: whether all of it is a prologue. */
static bool follow_in(struct edge *e, size_t at, size_t end)
{
	unsigned int n;
	struct insn i;

	for (n = 0; at < end && n < UNWIND_EDGE_INSNS; n++) {
		read_at(e, at, &i);
		if (!enter(e, &i))
			return false;
		at += i.len;
	}
	return at == end;
}

/**
 * struct quiet - an instruction that does not change SP, FP and LR, before a frame is made
 * @len: number of bytes
 * @goes_on: the next instruction may follow
 * @to: offset that it may branch to; 0 for none
 */
struct quiet {
	size_t len;
	bool goes_on;
	uint64_t to;
};

/* Decodes any instruction of x86, not only those of prologues and epilogues. */
static bool read_x86(const struct edge *e, size_t at, struct x86_insn *ret)
{
	const uint8_t *code = e->c->bytes + at;
	size_t left = e->c->len - at;

	return e->arch == UNWIND_X86 ? x86_insn_read_i386(code, left, at, ret) :
				       x86_insn_read(code, left, at, ret);
}

static bool quiet_x86(const struct edge *e, size_t at, struct quiet *ret)
{
	struct x86_stack stack;
	struct x86_insn insn;

	if (!read_x86(e, at, &insn) || insn.kind == X86_CALL)
		return false;
	x86_stack_read(e->c->bytes + at, &insn, &stack);
	*ret = (struct quiet){
		.len = insn.len,
		.goes_on = insn.kind == X86_OTHER || insn.kind == X86_BRANCH,
		.to = insn.kind == X86_BRANCH || insn.kind == X86_JUMP ? insn.to : 0,
	};
	return stack.effect == X86_NONE || stack.effect == X86_RET;
}

static bool quiet_arm64(const struct edge *e, size_t at, const struct insn *i, struct quiet *ret)
{
	uint32_t v;

	if (e->c->len - at < sizeof(v))
		return false;
	memcpy(&v, e->c->bytes + at, sizeof(v));
	v = le32toh(v);
	*ret = (struct quiet){ .len = sizeof(v) };
	ret->goes_on = i->kind != INSN_RETURN && i->kind != INSN_JUMP && i->kind != INSN_JUMP_REG;
	if (!leaf_branch(v, at, &ret->to))
		ret->to = 0;
	return leaf_keeps(v);
}

/**
 * struct late - the code before a frame that is made late
 * @way: targets of the branches in it, as offsets
 * @nr_ways: number of @way
 */
struct late {
	size_t way[UNWIND_LATE_WAYS];
	unsigned int nr_ways;
};

/* The next branch target after @at; @end if there is none. */
static size_t next_way(const struct late *l, size_t at, size_t end)
{
	unsigned int i;

	for (i = 0; i < l->nr_ways; i++)
		if (l->way[i] > at && l->way[i] < end)
			end = l->way[i];
	return end;
}

static size_t next_late(struct late *l, const struct edge *e, size_t at, const struct insn *i)
{
	struct quiet q;

	if (!(e->arch == UNWIND_ARM64 ? quiet_arm64(e, at, i, &q) : quiet_x86(e, at, &q)))
		return next_way(l, at, e->c->len);
	if (q.to > at && q.to < e->c->len && l->nr_ways < UNWIND_LATE_WAYS)
		l->way[l->nr_ways++] = q.to;
	return q.goes_on ? at + q.len : next_way(l, at, e->c->len);
}

static bool makes_frame(const struct insn *i)
{
	return i->kind == INSN_PUSH || i->kind == INSN_STORE || i->kind == INSN_SET_FP ||
	       (i->kind == INSN_SP && i->n < 0);
}

/*
 * Compilers make a frame where it is first needed: after a test, and an early return or two.
 * This follows all forward ways from the function's start to where a frame begins to be made.
 * If a function makes no frame, its encoding is used.
 *
 * @from: offset at which the frame that @at is in begins to be made, at most @at; @at itself
 *        if @at comes before that
 * Return: whether there is such a place.
 */
static bool find_late(const struct edge *e, size_t at, size_t *from)
{
	struct late l = { .nr_ways = 0 };
	bool found = false, made = false;
	struct insn i;
	size_t pos = 0;
	unsigned int n;

	for (n = 0; n < UNWIND_LATE_INSNS && pos < e->c->len; n++) {
		read_at(e, pos, &i);
		if (pos == at || (pos < at && makes_frame(&i))) {
			*from = pos;
			found = true;
		}
		made |= makes_frame(&i);
		pos = makes_frame(&i) ? next_way(&l, pos, e->c->len) : next_late(&l, e, pos, &i);
	}
	return found && made;
}

/* Whether the code at @at runs without a frame, in a function that makes one elsewhere. */
static bool is_bare(const struct edge *e, size_t at)
{
	size_t from;

	return find_late(e, at, &from) && from == at;
}

static bool prologue(enum unwind_arch arch, const struct unwind_code *c, struct unwind_rule *ret)
{
	struct edge e = edge_of(arch, c);
	size_t from;

	if (!follow_in(&e, 0, c->at)) {
		e = edge_of(arch, c);
		if (!find_late(&e, c->at, &from) || !follow_in(&e, from, c->at))
			return false;
	}
	*ret = (struct unwind_rule){ .kind = UNWIND_IMMEDIATE,
				     .size = (uint32_t)(e.word - e.sp) };
	if (e.fp_set)
		ret->kind = UNWIND_FRAME;
	else if (arch == UNWIND_ARM64)
		*ret = (struct unwind_rule){ .kind = UNWIND_FRAMELESS,
					     .size = (uint32_t)-e.sp };
	/* on arm64 all registers are saved by then, so the encoding is right */
	return !e.fp_set || arch != UNWIND_ARM64;
}

/* @off: offset from SP at the first instruction followed. */
static bool restored(struct edge *e, struct unwind_rule *r, unsigned int reg, int32_t off)
{
	/* a word that is loaded into xzr, so into no register */
	if (e->arch == UNWIND_ARM64 && reg == ARM64_ZR)
		return true;
	if (e->nr_slots == UNWIND_MAX_SAVED)
		return false;
	r->saved[e->nr_slots].reg = (uint16_t)reg;
	e->slot[e->nr_slots++] = off;
	return true;
}

static bool load(struct edge *e, const struct insn *i, struct unwind_rule *r)
{
	int32_t at = e->sp + i->at;

	return i->n >= 0 && restored(e, r, i->reg, at) &&
	       (!i->other || restored(e, r, i->other, at + 8)) && move_sp(e, i->n);
}

/* Return: whether @i belongs to an epilogue, which continues after it. */
static bool leave(struct edge *e, const struct insn *i, struct unwind_rule *r)
{
	switch (i->kind) {
	case INSN_NOTHING:
	case INSN_SCRATCH:
		return true;
	case INSN_SP:
		return i->n >= 0 && move_sp(e, i->n);
	case INSN_POP:
		return restored(e, r, i->reg, e->sp) && move_sp(e, e->word);
	case INSN_LOAD:
		return load(e, i, r);
	default:
		return false;
	}
}

static bool removes_frame(const struct insn *i)
{
	return i->kind == INSN_POP || i->kind == INSN_LEAVE || (i->kind == INSN_SP && i->n > 0);
}

/*
 * x86: whether the frame was removed before a jump. The bytes before it may be the end of a
 * longer instruction. That hardly matters for a jump out of the function, which is unlikely
 * while the frame is complete; but jumps by a register are common then, in a switch. So for
 * those the function is decoded from its start.
 */
static bool x86_frame_was_removed(const struct edge *e, bool by_register)
{
	const struct unwind_code *c = e->c;
	struct x86_insn insn;
	struct insn i;
	size_t at = 0;
	unsigned int n;

	for (n = 1; !by_register && n <= X86_LONGEST_STEP && n <= c->at; n++) {
		read_at(e, c->at - n, &i);
		if (i.len == n && removes_frame(&i))
			return true;
	}
	for (n = 0; by_register && at < c->at && n < UNWIND_EDGE_BACK; n++) {
		if (!read_x86(e, at, &insn))
			return false;
		if (at + insn.len == c->at) {
			read_at(e, at, &i);
			return removes_frame(&i);
		}
		at += insn.len;
	}
	return false;
}

static bool frame_was_removed(const struct edge *e, bool by_register)
{
	size_t at = e->c->at;
	unsigned int n;
	struct insn i;

	if (e->arch != UNWIND_ARM64)
		return x86_frame_was_removed(e, by_register);
	for (n = 0; at >= 4 && n < UNWIND_EDGE_INSNS; n++) {
		at -= 4;
		read_at(e, at, &i);
		if (i.kind != INSN_NOTHING && i.kind != INSN_SCRATCH)
			return (i.kind == INSN_LOAD || i.kind == INSN_SP) && i.n > 0;
	}
	return false;
}

/* Whether @i, at @at, returns to the caller or is a tail call. */
static bool ends(const struct edge *e, const struct insn *i, size_t at)
{
	int64_t to = (int64_t)at + i->n;

	if (i->kind == INSN_RETURN)
		return true;
	if (i->kind == INSN_JUMP && to >= 0 && to < (int64_t)e->c->len)
		return false;
	return (i->kind == INSN_JUMP || i->kind == INSN_JUMP_REG) &&
	       (e->steps || frame_was_removed(e, i->kind == INSN_JUMP_REG));
}

/* Whether the code after @i, or its target, runs without the frame, too. */
static bool joins(const struct edge *e, const struct insn *i, size_t at)
{
	int64_t to = (int64_t)at + i->n;

	if (i->kind != INSN_JUMP)
		return e->steps && is_bare(e, at);
	return to >= 0 && is_bare(e, (size_t)to) && (e->steps || frame_was_removed(e, false));
}

/* Converts slots to offsets from the CFA, as rules have them. */
static bool place(const struct edge *e, struct unwind_rule *r)
{
	int32_t off;
	unsigned int i;

	r->size = (uint32_t)(e->sp + (e->arch == UNWIND_ARM64 ? 0 : e->word));
	for (i = 0; i < e->nr_slots; i++) {
		off = e->slot[i] - (int32_t)r->size;
		r->saved[i].off = (int16_t)off;
		if (r->saved[i].off != off)
			return false;
	}
	r->nr_saved = e->nr_slots;
	return true;
}

static bool epilogue(enum unwind_arch arch, const struct unwind_code *c, struct unwind_rule *ret)
{
	struct unwind_rule r = { .kind = arch == UNWIND_ARM64 ? UNWIND_FRAMELESS :
								UNWIND_IMMEDIATE };
	struct edge e = edge_of(arch, c);
	size_t at = c->at;
	struct insn i;
	unsigned int n;

	for (n = 0; n < UNWIND_EDGE_INSNS && at < c->len; n++) {
		read_at(&e, at, &i);
		if (ends(&e, &i, at))
			break;
		if (!leave(&e, &i, &r)) {
			if (joins(&e, &i, at))
				break;
			return false;
		}
		at += i.len;
	}
	if (n == UNWIND_EDGE_INSNS || at >= c->len || !place(&e, &r))
		return false;
	*ret = r;
	return true;
}

bool unwind_edge(enum unwind_arch arch, const struct unwind_code *c, struct unwind_rule *ret)
{
	if (c->at >= c->len)
		return false;
	return prologue(arch, c, ret) || epilogue(arch, c, ret);
}

bool unwind_edge_calls(enum unwind_arch arch, const struct unwind_code *c)
{
	struct edge e = edge_of(arch, c);
	struct insn i;

	if (c->at >= c->len)
		return false;
	read_at(&e, c->at, &i);
	return i.kind == INSN_CALL;
}

bool unwind_edge_has_frame(enum unwind_arch arch, const struct unwind_code *c)
{
	struct edge e = edge_of(arch, c);
	unsigned int n;
	struct insn i;
	size_t at = 0;

	for (n = 0; at < c->len && n < UNWIND_EDGE_INSNS; n++) {
		read_at(&e, at, &i);
		if (!enter(&e, &i))
			return false;
		if (e.fp_set)
			return true;
		at += i.len;
	}
	return false;
}
