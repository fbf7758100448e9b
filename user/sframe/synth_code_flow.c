// SPDX-License-Identifier: GPL-2.0-only
#include "sframe/synth_code_flow.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

int code_flow_init(struct code_flow *f, const struct code_text *text)
{
	u32 n = text->size;

	*f = (struct code_flow){ .text = text };
	if (n > CODE_MAX_TEXT)
		return -EFBIG;
	f->state = calloc(n + 1, sizeof(*f->state));
	f->flags = calloc(n + 1, sizeof(*f->flags));
	f->index = calloc(n + 1, sizeof(*f->index));
	f->queue = malloc((n + 1) * sizeof(*f->queue));
	f->root = malloc((n + 1) * sizeof(*f->root));
	return f->state && f->flags && f->index && f->queue && f->root ? 0 : -ENOMEM;
}

void code_flow_release(struct code_flow *f)
{
	free(f->state);
	free(f->flags);
	free(f->index);
	free(f->insns);
	free(f->queue);
	free(f->root);
	*f = (struct code_flow){ .text = NULL };
}

static const struct code_area *area_of(struct code_flow *f, u32 at)
{
	if (!f->area || at - f->area->first >= f->area->size)
		f->area = code_text_area(f->text, at);
	return f->area;
}

static bool decode(const struct code_area *a, u32 at, struct code_insn *ret)
{
	u32 off = at - a->first;

	if (!code_text_insn(a, at, &ret->insn))
		return false;
	x86_stack_read(a->bytes + off, &ret->insn, &ret->stack);
	/* of what follows: it may push an address, or be a call */
	if (ret->insn.kind == X86_CALL && ret->insn.to == a->start + off + ret->insn.len) {
		ret->insn.kind = X86_OTHER;
		ret->insn.to = 0;
		ret->stack.effect = X86_LOSE_BOTH;
	}
	return true;
}

/* Each instruction is decoded once, as long as there is memory. */
static bool read_insn(struct code_flow *f, const struct code_area *a, u32 at,
		      struct code_insn *ret)
{
	if (f->index[at]) {
		*ret = f->insns[f->index[at] - 1];
		return true;
	}
	if (!decode(a, at, ret))
		return false;
	if (array_has_room(f->insns, f->nr_insns, f->insns_room)) {
		f->insns[f->nr_insns++] = *ret;
		f->index[at] = (u32)f->nr_insns;
	}
	return true;
}

bool code_flow_step(struct code_flow *f, u32 at, struct code_step *ret)
{
	struct code_insn i;

	ret->area = area_of(f, at);
	ret->at = at;
	ret->state = ret->behind = f->state[at];
	if (!read_insn(f, ret->area, at, &i))
		return false;
	ret->insn = i.insn;
	ret->stack = i.stack;
	/* most do nothing to it */
	if (i.stack.effect || i.stack.stores || i.insn.kind == X86_CALL)
		ret->behind = code_state_step(ret->state, &i.insn, &i.stack);
	return true;
}

/* Padding behind a call: it does not come back. */
static bool never_returns(const struct code_step *s, u32 next)
{
	return s->insn.kind == X86_CALL && code_text_pads(s->area, next - s->area->first);
}

u32 code_step_next(const struct code_step *s)
{
	u32 next = s->at + s->insn.len;

	if (s->insn.kind == X86_JUMP || s->insn.kind == X86_END ||
	    next >= s->area->first + s->area->size || never_returns(s, next))
		return CODE_NOWHERE;
	return next;
}

/* Where a compiler knows that a switch has no other case, the jump for it goes to what
 * is behind the function: padding.
 */
u32 code_step_target(const struct code_flow *f, const struct code_step *s)
{
	u64 off = s->insn.to - s->area->start;

	if (!s->insn.to)
		return CODE_NOWHERE;
	if (off >= s->area->size)
		return code_text_at(f->text, s->insn.to);
	return code_text_pads(s->area, (u32)off) ? CODE_NOWHERE : s->area->first + (u32)off;
}

static void set(struct code_flow *f, u32 at, struct code_state s)
{
	f->state[at] = s;
	f->flags[at] |= CODE_VISITED;
	if (f->flags[at] & CODE_QUEUED)
		return;
	f->flags[at] |= CODE_QUEUED;
	f->queue[f->nr_queue++] = at;
}

/* Where nothing contradicts that a call leads there, a way of which nothing is known
 * is no reason to doubt it.
 */
static bool is_ignored(const struct code_flow *f, u32 at, struct code_state s)
{
	struct code_state here = f->state[at];

	if (!(f->flags[at] & CODE_VISITED))
		return false;
	return (!here.called && s.called) ||
	       (f->flags[at] & CODE_ENTRY_POINT && s.lost);
}

/* A way leads to @at with state @s. */
static void arrive(struct code_flow *f, u32 at, struct code_state s)
{
	struct code_state here;

	if (at == CODE_NOWHERE || is_ignored(f, at, s))
		return;
	here = f->state[at];
	/* what is certain comes instead of what is not */
	if (f->flags[at] & CODE_VISITED && (s.called || !here.called)) {
		s = code_state_meet(here, s);
		if (code_state_equal(s, here))
			return;
	}
	set(f, at, s);
}

/* Return: false if it is known. */
static bool add_entry(struct code_flow *f, u32 at, u8 flags)
{
	if (at == CODE_NOWHERE)
		return false;
	flags &= (u8)~f->flags[at];
	f->flags[at] |= flags;
	if (flags & CODE_ENTRY_POINT)
		f->grown = true;
	return flags & CODE_ENTRY_POINT;
}

void code_flow_add_entry(struct code_flow *f, u64 pc)
{
	add_entry(f, code_text_at(f->text, pc), CODE_ENTRY_POINT | CODE_FIRM);
}

bool code_flow_is_news(const struct code_flow *f, u64 pc)
{
	u32 at = code_text_at(f->text, pc);

	return at != CODE_NOWHERE && !(f->flags[at] & CODE_FIRM);
}

static void follow_call(struct code_flow *f, const struct code_step *s)
{
	static const struct code_state entry = CODE_ENTRY;
	u32 to = code_step_target(f, s);

	f->flags[s->at] |= CODE_CALLS;
	if (f->believe && !s->state.lost && add_entry(f, to, CODE_ENTRY_POINT))
		set(f, to, entry);
	if (f->calls_too)
		arrive(f, code_step_next(s), s->behind);
}

static void follow(struct code_flow *f, u32 at)
{
	struct code_step s;

	if (!code_flow_step(f, at, &s))
		return;
	if (s.insn.kind == X86_CALL) {
		follow_call(f, &s);
		return;
	}
	arrive(f, code_step_next(&s), s.behind);
	arrive(f, code_step_target(f, &s), s.behind);
}

static void settle(struct code_flow *f)
{
	u32 at;

	while (f->nr_queue) {
		at = f->queue[--f->nr_queue];
		f->flags[at] &= (u8)~CODE_QUEUED;
		follow(f, at);
	}
}

/* Finds entries: from those that there are on, as they come. */
static void discover(struct code_flow *f)
{
	static const struct code_state entry = CODE_ENTRY;
	u32 at;

	f->believe = true;
	f->calls_too = true;
	for (at = 0; at < f->text->size; at++)
		if ((f->flags[at] & (CODE_ENTRY_POINT | CODE_VISITED)) == CODE_ENTRY_POINT ||
		    (f->flags[at] & CODE_ENTRY_POINT && f->state[at].lost))
			set(f, at, entry);
	settle(f);
}

/* Finds states: the certain part first, which what is behind calls cannot change. */
static void find_states(struct code_flow *f)
{
	static const struct code_state entry = CODE_ENTRY;
	u32 at;

	f->believe = false;
	f->nr_queue = 0;
	for (at = 0; at < f->text->size; at++) {
		f->flags[at] &= CODE_ENTRY_POINT | CODE_FIRM;
		if (f->flags[at])
			set(f, at, entry);
	}
	f->calls_too = false;
	settle(f);
	f->calls_too = true;
	for (at = 0; at < f->text->size; at++)
		if (f->flags[at] & CODE_CALLS)
			follow(f, at);
	settle(f);
}

static void reach(struct code_flow *f, u32 at)
{
	if (at == CODE_NOWHERE || !(f->flags[at] & CODE_PROVEN) ||
	    f->flags[at] & CODE_QUEUED)
		return;
	f->flags[at] |= CODE_QUEUED;
	f->queue[f->nr_queue++] = at;
}

/* Drops entries that no proven code leads to, from firm ones on. Return: how many. */
static u32 drop_entries(struct code_flow *f)
{
	struct code_step s;
	u32 at, i, nr = 0;

	for (at = 0; at < f->text->size; at++)
		if (f->flags[at] & CODE_FIRM)
			reach(f, at);
	for (i = 0; i < f->nr_queue; i++) {
		if (!code_flow_step(f, f->queue[i], &s))
			continue;
		reach(f, code_step_next(&s));
		reach(f, code_step_target(f, &s));
	}
	for (at = 0; at < f->text->size; at++)
		if ((f->flags[at] & (CODE_ENTRY_POINT | CODE_QUEUED)) == CODE_ENTRY_POINT) {
			f->flags[at] &= (u8)~(CODE_ENTRY_POINT | CODE_FIRM);
			nr++;
		}
	return nr;
}

/* Where functions are seen to begin. */
static void add_seen(struct code_flow *f)
{
	const struct code_area *a;
	u32 off;

	for (a = f->text->areas; a < f->text->areas + f->text->nr; a++)
		for (off = -(u32)a->start & 15; off < a->size; off += 16)
			if (code_text_begins(a, off))
				add_entry(f, a->first + off, CODE_ENTRY_POINT | CODE_FIRM);
}

void code_flow_run(struct code_flow *f)
{
	unsigned int i;
	u32 dropped = 1;

	add_seen(f);
	for (i = 0; i < CODE_MAX_ROUNDS && (f->grown || !i); i++) {
		f->grown = false;
		discover(f);
		code_flow_look(f);
	}
	for (i = 0; i < CODE_MAX_ROUNDS && dropped; i++) {
		find_states(f);
		code_flow_prove(f);
		dropped = drop_entries(f);
	}
	/* what is left was not proven without what was dropped */
	if (dropped)
		memset(f->flags, 0, f->text->size);
}
