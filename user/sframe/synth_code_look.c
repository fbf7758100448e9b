// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code behind padding that no call is seen to lead to, or that ways lead to of which
 * nothing is known: V8's bytecode handlers, which are called through a table and jump
 * to each other. Whether SP points to a return
 * address there is told by what the code does before any call: it returns with that
 * SP, or jumps to proven code that is entered so, or puts a frame record right below.
 */
#include "sframe/synth_code_flow.h"

/**
 * struct look - from one place on
 * @from: it, also what f->root says of bytes that were met
 * @left: instructions that may still be read
 * @nr: of @todo
 * @todo: met and not read; their states are in f->state
 * @good: something tells that SP points to a return address at @from
 * @bad: or that it does not
 */
struct look {
	struct code_flow *f;
	u32 from;
	u64 *left;
	u32 nr;
	u32 todo[CODE_MAX_LOOK];
	bool good;
	bool bad;
};

/* @jump: a jump leads there, not the instruction in front. */
static void meet_known(struct look *l, u32 at, struct code_state s, bool jump)
{
	struct code_state there = l->f->state[at];

	if (there.called)
		return;
	if (!code_state_agree(there, s))
		l->bad = true;
	else if (jump && code_state_is_entry(s))
		l->good |= (l->f->flags[at] & CODE_FIRM) != 0;
}

static bool is_known(const struct code_flow *f, u32 at)
{
	return f->flags[at] & CODE_VISITED && f->root[at] == CODE_NOWHERE &&
	       !f->state[at].lost;
}

/* States of code of which nothing is known are overwritten: nothing needs them. */
static void add(struct look *l, u32 at, struct code_state s)
{
	l->f->root[at] = l->from;
	l->f->state[at] = s;
	l->todo[l->nr++] = at;
}

static void meet(struct look *l, u32 at, struct code_state s, bool jump)
{
	struct code_flow *f = l->f;

	if (s.lost)
		return;
	if (f->root[at] == l->from)
		l->bad |= !code_state_agree(f->state[at], s);
	else if (is_known(f, at))
		meet_known(l, at, s, jump);
	else if (l->nr == CODE_MAX_LOOK)
		l->bad = true;
	else
		add(l, at, s);
}

/* push %rbp; mov %rsp, %rbp */
static bool makes_record(const struct code_step *s)
{
	return s->state.how == CODE_FP_SAME && s->behind.how == CODE_FP_FRAME;
}

static void read_one(struct look *l, u32 at)
{
	struct code_step s;
	u32 next, to;

	if (!code_flow_step(l->f, at, &s)) {
		l->bad = true;
		return;
	}
	if (s.insn.kind == X86_CALL)
		return;
	if (s.stack.effect == X86_RET) {
		l->good |= code_state_is_entry(s.state);
		l->bad |= !code_state_is_entry(s.state);
		return;
	}
	l->good |= makes_record(&s);
	next = code_step_next(&s);
	to = code_step_target(l->f, &s);
	if (next != CODE_NOWHERE)
		meet(l, next, s.behind, false);
	else if (s.insn.kind != X86_JUMP && s.insn.kind != X86_END)
		l->bad = true;
	if (to != CODE_NOWHERE)
		meet(l, to, s.behind, true);
}

static bool is_entered(struct code_flow *f, u32 at, u64 *left)
{
	static const struct code_state entry = CODE_ENTRY;
	struct look l = { .f = f, .from = at, .left = left };

	meet(&l, at, entry, false);
	while (l.nr && !l.bad && *left) {
		--*left;
		read_one(&l, l.todo[--l.nr]);
	}
	return l.good && !l.bad && *left;
}

void code_flow_look(struct code_flow *f)
{
	u64 left = (u64)CODE_MAX_LOOKS * f->text->size;
	const struct code_area *a;
	u32 at, off;

	for (at = 0; at < f->text->size; at++)
		f->root[at] = CODE_NOWHERE;
	for (a = f->text->areas; a < f->text->areas + f->text->nr; a++)
		for (off = -(u32)a->start & 15; off < a->size; off += 16) {
			at = a->first + off;
			if (!is_known(f, at) && !code_text_pads(a, off) &&
			    code_text_ends(a, off) && is_entered(f, at, &left))
				code_flow_add_entry(f, a->start + off);
		}
}
