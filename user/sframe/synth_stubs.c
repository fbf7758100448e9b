// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes rows of code that a process made; see synth_stubs.h. Instructions that follow each
 * other, or that a jump connects, form a group, in which the distances between the values of
 * SP are known. Where the group is left, SP is known: at a return, it points to the return
 * address; at a jump to other code of the function, nothing is pushed. supply/made.c calls it.
 */
#include "sframe/synth_stubs.h"

#include <stdlib.h>

#include "sframe/x86_stack.h"
#include "util/cleanup.h"

#define NONE (~0u)

/* How a group is left. */
enum stubs_kind {
	STUBS_UNKNOWN,		/* nothing is known yet */
	STUBS_PART,		/* by jumps to other parts of the function */
	STUBS_CALLED,		/* by returns, and jumps to functions */
	STUBS_UNPROVEN,		/* by something else, or by several of these */
};

/**
 * struct node - an instruction
 * @at: offset of the instruction
 * @up: index of an instruction of the same group; the group's root has its own
 * @depth: bytes on the stack before the instruction minus those before @up
 * @kind: enum stubs_kind, for roots
 * @base: for roots with a @kind: bytes on the stack before it
 */
struct node {
	u32 at;
	u32 up;
	s64 depth;
	u8 kind;
	s64 base;
};

/**
 * struct stubs - state of the analysis
 * @c: the code
 * @node: the instructions
 * @nr: number of @node
 * @index: index of the instruction that starts at an offset, or NONE
 */
struct stubs {
	const struct stubs_code *c;
	struct node *node;
	u32 nr;
	u32 *index;
};

/* Finds the root of @i's group. @depth: bytes on the stack before @i minus those before it. */
static u32 root_of(struct stubs *s, u32 i, s64 *depth)
{
	*depth = 0;
	while (s->node[i].up != i) {
		struct node *n = &s->node[i], *up = &s->node[n->up];

		/* halves the path, which keeps later searches short */
		n->depth += up->depth;
		n->up = up->up;
		*depth += n->depth;
		i = n->up;
	}
	return i;
}

/* Notes that the group of root @r is left like @kind, with @base bytes on the stack at @r. */
static void leave(struct stubs *s, u32 r, u8 kind, s64 base)
{
	struct node *n = &s->node[r];

	if (n->kind == STUBS_UNKNOWN) {
		n->kind = kind;
		n->base = base;
	} else if (n->kind != kind || n->base != base) {
		n->kind = STUBS_UNPROVEN;
	}
}

/* Notes that @i leaves its group, with nothing but what its @kind needs on the stack. */
static void leave_at(struct stubs *s, u32 i, u8 kind)
{
	s64 depth;
	u32 r = root_of(s, i, &depth);

	leave(s, r, kind, -depth);
}

/* Notes that @j runs after @i, with @pushed more bytes on the stack. */
static void connect(struct stubs *s, u32 i, u32 j, s64 pushed)
{
	s64 of_i, of_j;
	u32 a = root_of(s, i, &of_i), b = root_of(s, j, &of_j);
	s64 b_to_a = of_i + pushed - of_j;

	if (a == b) {
		if (b_to_a)
			s->node[a].kind = STUBS_UNPROVEN;
		return;
	}
	s->node[b].up = a;
	s->node[b].depth = b_to_a;
	if (s->node[b].kind != STUBS_UNKNOWN)
		leave(s, a, s->node[b].kind, s->node[b].base - b_to_a);
}

static void connect_to(struct stubs *s, u32 i, u32 off, s64 pushed)
{
	u32 j = off < s->c->len ? s->index[off] : NONE;

	if (j == NONE)
		leave_at(s, i, STUBS_UNPROVEN);
	else
		connect(s, i, j, pushed);
}

static bool is_in(const struct range *r, u64 addr)
{
	return addr >= r->start && addr < r->end;
}

/* A jump of @i to run-time address @to. */
static void jump(struct stubs *s, u32 i, u64 to)
{
	const struct stubs_code *c = s->c;

	if (to - c->vaddr < c->len)
		connect_to(s, i, (u32)(to - c->vaddr), 0);
	else
		leave_at(s, i, is_in(&c->host, to) || is_in(&c->made, to) ? STUBS_PART :
									    STUBS_CALLED);
}

/*
 * The address that register @reg has at instruction @i: if the instruction before it, which
 * runs before it, is mov $address,%reg; else 0.
 */
static u64 loaded_before(const struct stubs *s, u32 i, u32 reg)
{
	const u8 *code;

	if (!i || s->node[i].at - s->node[i - 1].at != 10)
		return 0;
	code = s->c->bytes + s->node[i - 1].at;
	if ((code[0] & 0xfe) != 0x48 || (code[1] & 0xf8) != 0xb8 ||
	    ((code[1] & 7u) | (code[0] & 1u) << 3) != reg)
		return 0;
	return ustack_le64(code + 2);
}

/*
 * A jump of @i whose target is not in the instruction: by a word of memory to the code of the
 * next instruction of the script, or by a register, which has just been loaded.
 */
static void jump_far(struct stubs *s, u32 i, const u8 *code, u32 len)
{
	u32 op = 0, high = 0;
	u64 to;

	for (; op + 2 < len && code[op] != 0xff; op++)
		high = (code[op] & 0xf1) == 0x41 ? 8 : 0;
	if (code[op + 1] >> 6 != 3) {
		leave_at(s, i, STUBS_PART);
		return;
	}
	to = loaded_before(s, i, (code[op + 1] & 7u) | high);
	if (to)
		jump(s, i, to);
	else
		leave_at(s, i, STUBS_UNPROVEN);
}

/* Return: number of zeros at @at that fill the space to the next part. */
static u32 filling(const struct stubs_code *c, u32 at)
{
	u32 end = (at + STUBS_ALIGN - 1) / STUBS_ALIGN * STUBS_ALIGN, i;

	for (i = at; i < end && i < c->len; i++)
		if (c->bytes[i])
			return 0;
	return i - at;
}

/* Connects instruction @i with those that may run after it. */
static void follow(struct stubs *s, u32 i)
{
	const struct stubs_code *c = s->c;
	u32 at = s->node[i].at;
	const u8 *code = c->bytes + at;
	struct x86_insn insn;
	struct x86_stack x;
	s64 pushed;

	if (!x86_insn_read(code, c->len - at, c->vaddr + at, &insn)) {
		leave_at(s, i, STUBS_UNPROVEN);
		return;
	}
	x86_stack_read(code, &insn, &x);
	if (insn.kind == X86_END) {
		leave_at(s, i, x.effect == X86_RET && !x.takes ? STUBS_CALLED : STUBS_UNPROVEN);
		return;
	}
	if (!x86_stack_pushed(&x, &pushed))
		leave_at(s, i, STUBS_UNPROVEN);
	if (insn.kind == X86_JUMP && !insn.to)
		jump_far(s, i, code, insn.len);
	else if (insn.kind == X86_JUMP || insn.kind == X86_BRANCH)
		jump(s, i, insn.to);
	/* a call that never returns may be at the end of a part */
	if (insn.kind != X86_JUMP && !(insn.kind == X86_CALL && filling(c, at + insn.len)))
		connect_to(s, i, at + insn.len, pushed);
}

/* Finds the instructions, from the start on. */
static void find_instructions(struct stubs *s)
{
	const struct stubs_code *c = s->c;
	u32 at = 0;

	while (at < c->len) {
		struct x86_insn insn = { .kind = X86_END };

		s->index[at] = s->nr;
		s->node[s->nr] = (struct node){ .at = at, .up = s->nr };
		s->nr++;
		/* after what is no instruction, the next part may be one again */
		if (!x86_insn_read(c->bytes + at, c->len - at, c->vaddr + at, &insn))
			at = (at / STUBS_ALIGN + 1) * STUBS_ALIGN;
		else
			at += insn.len;
		if (insn.kind != X86_OTHER && insn.kind != X86_BRANCH)
			at += filling(c, at);
	}
}

/* The rule of instruction @i. */
static struct ustack_rule rule_of(struct stubs *s, u32 i)
{
	struct ustack_rule rule = {
		.cfa = USTACK_OP_SP, .ra = USTACK_OP_CFA | USTACK_OP_DEREF, .ra_off = -8,
	};
	s64 depth;
	const struct node *root = &s->node[root_of(s, i, &depth)];

	depth += root->base;
	if (depth < 0 || depth & 7 || depth > (s64)STUBS_MAX_BYTES)
		return rule;
	if (root->kind == STUBS_PART && depth <= INT32_MAX - (s64)s->c->rule.cfa_off) {
		rule = s->c->rule;
		rule.cfa_off += (s32)depth;
	} else if (root->kind == STUBS_CALLED) {
		rule.cfa_off = 8 + (s32)depth;
	}
	return rule;
}

static u32 add_row(struct sframe_row *rows, u32 nr, u32 start, const struct ustack_rule *rule)
{
	if (nr && ustack_rule_equal(&rows[nr - 1].rule, rule))
		return nr;
	rows[nr] = (struct sframe_row){ .start = start, .rule = *rule };
	return nr + 1;
}

u32 synth_stubs(const struct stubs_code *c, struct sframe_row **ret)
{
	_cleanup_(cleanup_free) struct node *node = calloc(c->len + 1, sizeof(*node));
	_cleanup_(cleanup_free) u32 *index = malloc((c->len + 1) * sizeof(*index));
	struct stubs s = { .c = c, .node = node, .index = index };
	struct sframe_row *rows = NULL;
	u32 i, nr = 0;

	if (!node || !index || c->len > STUBS_MAX_BYTES)
		return 0;
	for (i = 0; i < c->len; i++)
		index[i] = NONE;
	find_instructions(&s);
	for (i = 0; i < s.nr; i++)
		follow(&s, i);
	rows = calloc(s.nr + 1, sizeof(*rows));
	if (!rows)
		return 0;
	for (i = 0; i < s.nr; i++) {
		const struct ustack_rule rule = rule_of(&s, i);

		nr = add_row(rows, nr, node[i].at, &rule);
	}
	nr = add_row(rows, nr, c->len, &c->rule);
	*ret = rows;
	return nr;
}
