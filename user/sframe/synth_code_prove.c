// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves code after calls by where it leads. Instructions between calls that jumps connect
 * are one segment, which is proven as a whole: CODE_GOOD if some way out of it is right,
 * CODE_BAD if one is impossible. Also reports the proven ranges (code_flow_each()).
 */
#include "sframe/synth_code_after.h"
#include "sframe/synth_code_flow.h"

static u32 find_root(struct code_flow *f, u32 at)
{
	u32 to = at, next;

	while (f->root[to] != to)
		to = f->root[to];
	for (; at != to; at = next) {
		next = f->root[at];
		f->root[at] = to;
	}
	return to;
}

static void mark(struct code_flow *f, u32 at, u16 flag)
{
	f->flags[find_root(f, at)] |= flag;
}

static void join(struct code_flow *f, u32 a, u32 b)
{
	a = find_root(f, a);
	b = find_root(f, b);
	f->root[a] = b;
	f->flags[b] |= f->flags[a] & (CODE_GOOD | CODE_BAD);
}

static bool is_assumed(const struct code_flow *f, u32 at)
{
	return f->flags[at] & CODE_VISITED && f->state[at].called && !f->state[at].lost;
}

/* Judges a way from @s to @to, which is in the text. */
static void judge_way(struct code_flow *f, const struct code_step *s, u32 to)
{
	struct code_state there = f->state[to];

	if (s->after.lost || there.lost)
		return;
	if (there.called)
		join(f, s->at, to);
	else
		mark(f, s->at, code_state_agree(there, s->after) ? CODE_GOOD : CODE_BAD);
}

/* Judges a jump from @s to @to, which is in the text. */
static void judge_jump(struct code_flow *f, const struct code_step *s, u32 to)
{
	f->flags[to] |= CODE_JUMPED;
	judge_way(f, s, to);
}

/* Judges a return, or a jump to a place of which nothing is known. */
static void judge_exit(struct code_flow *f, const struct code_step *s)
{
	if (code_state_is_entry(s->state))
		mark(f, s->at, CODE_GOOD);
	else if (s->stack.effect == X86_RET)
		mark(f, s->at, CODE_BAD);
}

/*
 * A thread made by clone(2) runs on a stack of its own, where no caller is. Its code after
 * the system call never leads to a return. So if one way does not, none is believed.
 */
bool code_step_is_threads_end(const struct code_flow *f, const struct code_step *s)
{
	u32 nr;

	if (!s->state.forked)
		return false;
	if (s->after.lost)
		return true;
	if (code_step_next(f, s) != CODE_NOWHERE || s->stack.effect == X86_RET)
		return false;
	code_step_cases(f, s, &nr);
	return s->insn.kind != X86_JUMP ||
	       (!s->insn.to && !nr && !code_state_is_entry(s->state));
}

/* Judges a jump through a table. Return: false if it is none. */
static bool judge_cases(struct code_flow *f, const struct code_step *s)
{
	u32 nr, i;
	const u32 *to = code_step_cases(f, s, &nr);

	for (i = 0; i < nr; i++)
		if (to[i] != CODE_NOWHERE)
			judge_jump(f, s, to[i]);
	return nr;
}

static void judge(struct code_flow *f, u32 at)
{
	struct code_step s;
	u32 next, to;

	if (!code_flow_step(f, at, &s)) {
		mark(f, at, CODE_BAD);
		return;
	}
	next = code_step_next(f, &s);
	to = code_step_target(f, &s);
	if (code_step_is_threads_end(f, &s))
		mark(f, at, CODE_BAD);
	if (s.insn.kind == X86_CALL)
		return;
	if (code_state_leaves(s.state, &s.stack))
		mark(f, at, CODE_GOOD);
	if (judge_cases(f, &s))
		return;
	if (s.stack.effect == X86_RET || (s.insn.kind == X86_JUMP && to == CODE_NOWHERE))
		judge_exit(f, &s);
	if (to != CODE_NOWHERE)
		judge_jump(f, &s, to);
	if (next != CODE_NOWHERE)
		judge_way(f, &s, next);
	else if (s.insn.kind == X86_OTHER || s.insn.kind == X86_BRANCH)
		mark(f, at, CODE_BAD);
}

/* Whether code after the call at @at shows that the call's own segment is good. */
static bool is_good_after(struct code_flow *f, u32 at)
{
	struct code_step s;
	u32 next, root;

	if (!code_flow_step(f, at, &s) || s.insn.kind != X86_CALL)
		return false;
	next = code_step_next(f, &s);
	if (next == CODE_NOWHERE || !code_state_agree(f->state[next], s.after))
		return false;
	if (!is_assumed(f, next))
		return true;
	root = find_root(f, next);
	return (f->flags[root] & (CODE_GOOD | CODE_BAD)) == CODE_GOOD;
}

/* Spreads CODE_GOOD backwards over calls. Return: whether another segment became good. */
static bool pass_back(struct code_flow *f)
{
	bool more = false;
	u32 at, root;

	for (at = f->text->size; at--;) {
		if (!(f->flags[at] & CODE_CALLS) || !is_assumed(f, at))
			continue;
		root = find_root(f, at);
		if (f->flags[root] & CODE_GOOD || !is_good_after(f, at))
			continue;
		f->flags[root] |= CODE_GOOD;
		more = true;
	}
	return more;
}

static bool is_proven(struct code_flow *f, u32 at)
{
	if (!(f->flags[at] & CODE_VISITED) || f->state[at].lost)
		return false;
	return !f->state[at].called ||
	       (f->flags[find_root(f, at)] & (CODE_GOOD | CODE_BAD)) == CODE_GOOD;
}

static void conclude(struct code_flow *f)
{
	unsigned int i;
	u32 at;

	for (i = 0; i < CODE_MAX_PASSES && pass_back(f); i++)
		;
	for (at = 0; at < f->text->size; at++)
		if (is_proven(f, at))
			f->flags[at] |= CODE_PROVEN;
}

/* Marks code after calls that return as good. Return: whether there is more than before. */
static bool mark_after_calls(struct code_flow *f)
{
	struct code_step s;
	bool more = false;
	u32 at, next, root;

	for (at = 0; at < f->text->size; at++) {
		if (!(f->flags[at] & CODE_CALLS) || !is_proven(f, at) ||
		    !code_flow_step(f, at, &s))
			continue;
		next = code_step_next(f, &s);
		if (!code_flow_is_alive(f, &s, CODE_RETURNS) || next == CODE_NOWHERE ||
		    !is_assumed(f, next) ||
		    !code_state_agree(f->state[next], s.after) || code_after_may_be_other(f, &s))
			continue;
		root = find_root(f, next);
		more |= !(f->flags[root] & (CODE_GOOD | CODE_BAD));
		f->flags[root] |= CODE_GOOD;
	}
	return more;
}

void code_flow_prove(struct code_flow *f)
{
	unsigned int i;
	u32 at;

	for (at = 0; at < f->text->size; at++)
		f->root[at] = at;
	for (at = 0; at < f->text->size; at++)
		if (is_assumed(f, at))
			judge(f, at);
	conclude(f);
	for (i = 0; i < CODE_MAX_GO_ONS && !f->takes; i++) {
		code_flow_find_returns(f);
		if (!mark_after_calls(f))
			break;
		conclude(f);
	}
}

/**
 * struct span - an instruction's bytes
 * @start: link-time address
 * @end: the first address after it
 * @state: state before it
 * @proven: the state is proven, and no other instruction with another state shares its bytes
 */
struct span {
	u64 start;
	u64 end;
	struct code_state state;
	bool proven;
};

static void read_span(struct code_flow *f, u32 at, struct span *ret)
{
	struct code_step s;
	bool known = code_flow_step(f, at, &s);

	ret->start = s.area->start + (at - s.area->first);
	ret->end = ret->start + (known ? s.insn.len : 1);
	ret->state = s.state;
		/* a return has proven it, if calls take nothing but their return address */
	if (!f->takes)
		ret->state.soft = 0;
	ret->proven = known && f->flags[at] & CODE_PROVEN;
}

static void part(struct span *last, struct span *s)
{
	if (s->start >= last->end)
		return;
	if (last->proven && s->proven && code_state_equal(last->state, s->state)) {
		last->end = s->start;
		return;
	}
	last->proven = s->proven = false;
	if (s->end < last->end)
		s->end = last->end;
}

int code_flow_each(struct code_flow *f,
		   int (*each)(void *arg, u64 start, u64 end, struct code_state s),
		   void *arg)
{
	struct span last = { .proven = false }, s;
	int err = 0;
	u32 at;

	for (at = 0; at < f->text->size && err >= 0; at++) {
		if (!(f->flags[at] & CODE_VISITED))
			continue;
		read_span(f, at, &s);
		part(&last, &s);
		if (last.proven)
			err = each(arg, last.start, last.end, last.state);
		last = s;
	}
	if (last.proven && err >= 0)
		err = each(arg, last.start, last.end, last.state);
	return err < 0 ? err : 0;
}
