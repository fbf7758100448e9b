// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out which functions return. Compilers put nothing after a call of a function that
 * never does, so the next bytes belong to another function, and the state after the call is
 * not its state. One call is enough to know it for all others: a call which another function,
 * or the end of the text, directly follows, unless the function is known to return: a compiler
 * may know that nothing can follow this one call. A function returns if proven code leads to its
 * return and calls on the way only functions that return.
 */
#include "sframe/synth_code_flow.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

bool code_targets_has(const struct code_targets *t, u64 target)
{
	return t->nr && bsearch(&target, t->at, t->nr, sizeof(*t->at), compare);
}

int code_targets_add(struct code_targets *t, u64 target)
{
	if (!array_has_room(t->at, t->nr, t->room))
		return -ENOMEM;
	t->at[t->nr++] = target;
	return 0;
}

void code_targets_sort(struct code_targets *t)
{
	size_t i, nr = 0;

	if (!t->nr)
		return;
	qsort(t->at, t->nr, sizeof(*t->at), compare);
	for (i = 1; i < t->nr; i++)
		if (t->at[i] != t->at[nr])
			t->at[++nr] = t->at[i];
	t->nr = nr + 1;
}

/* Whether another function, or the end of the text, follows the call @s. */
static bool ends_function(const struct code_flow *f, const struct code_step *s)
{
	u32 off = code_text_skip_padding(s->area, s->at + s->insn.len - s->area->first);

	return off >= s->area->size ||
	       f->flags[s->area->first + off] & (CODE_FIRM | CODE_BOUNDARY);
}

/* Whether the call @s shows that its function never returns. Code that leads to a return is stronger. */
static bool shows_dead(const struct code_flow *f, const struct code_step *s)
{
	return ends_function(f, s) && !code_flow_is_alive(f, s, CODE_ALIVE);
}

int code_flow_find_dead(struct code_flow *f)
{
	struct code_step s;
	int err = 0;
	u32 at;

	f->dead.nr = 0;
	for (at = 0; at < f->text->size && !err; at++)
		if (f->flags[at] & CODE_CALLS && code_flow_step(f, at, &s) && s.insn.to &&
		    (shows_dead(f, &s) || code_targets_has(&f->gone, s.insn.to)))
			err = code_targets_add(&f->dead, s.insn.to);
	code_targets_sort(&f->dead);
	return err;
}

static int find_called(struct code_flow *f, struct code_targets *ret)
{
	struct code_step s;
	int err = 0;
	u32 at;

	for (at = 0; at < f->text->size && !err; at++)
		if (f->flags[at] & CODE_CALLS && code_flow_step(f, at, &s) && s.insn.to)
			err = code_targets_add(ret, s.insn.to);
	code_targets_sort(ret);
	return err;
}

int code_flow_find_fates(struct code_flow *f)
{
	struct code_targets called = { .nr = 0 };
	enum code_fate fate;
	size_t i;
	int err;

	if (!f->fate)
		return 0;
	f->alive.nr = f->gone.nr = f->imported.nr = 0;
	err = find_called(f, &called);
	for (i = 0; i < called.nr && !err; i++) {
		fate = f->fate(f->arg, called.at[i]);
		if (fate == CODE_RETURNING &&
		    code_text_at(f->text, called.at[i]) == CODE_NOWHERE)
			err = code_targets_add(&f->alive, called.at[i]);
		else if (fate == CODE_IMPORTED)
			err = code_targets_add(&f->imported, called.at[i]);
		else if (fate == CODE_NEVER_RETURNING)
			err = code_targets_add(&f->gone, called.at[i]);
	}
	free(called.at);
	return err;
}

bool code_flow_is_alive(const struct code_flow *f, const struct code_step *s, u16 flag)
{
	u32 to = code_step_target(f, s);

	return to == CODE_NOWHERE ? code_targets_has(&f->alive, s->insn.to) :
				    f->flags[to] & flag;
}

static bool returns(const struct code_flow *f, u32 at)
{
	return at != CODE_NOWHERE && f->flags[at] & CODE_RETURNS;
}

static bool case_returns(const struct code_flow *f, const struct code_step *s)
{
	u32 nr;
	const u32 *to = code_step_cases(f, s, &nr);

	while (nr--)
		if (returns(f, *to++))
			return true;
	return false;
}

/* Whether a call of @to goes to a function of another text, through PLT code that jumps there. */
static bool is_elsewhere(struct code_flow *f, u32 to)
{
	struct code_step s;

	if (to == CODE_NOWHERE)
		return true;
	if (!code_flow_step(f, to, &s))
		return false;
	if (s.insn.kind == X86_OTHER && s.stack.effect == X86_NONE &&
	    !code_flow_step(f, code_step_next(f, &s), &s))
		return false;
	return s.insn.kind == X86_JUMP && !s.insn.to;
}

/*
 * Whether proven code leads from @at to a return, and all functions of this text that it calls
 * on the way return. Code after calls of other functions is proven by where it leads.
 */
static bool leads_to_return(struct code_flow *f, u32 at)
{
	struct code_step s;
	bool next;

	if (!code_flow_step(f, at, &s))
		return false;
	if (s.stack.effect == X86_RET)
		return code_state_is_entry(s.state);
	next = returns(f, code_step_next(f, &s));
	if (s.insn.kind == X86_CALL)
		return next && (code_flow_is_alive(f, &s, CODE_RETURNS) ||
				is_elsewhere(f, code_step_target(f, &s)));
	return next || returns(f, code_step_target(f, &s)) || case_returns(f, &s);
}

void code_flow_find_returns(struct code_flow *f)
{
	bool more = true;
	unsigned int i;
	u32 at;

	for (i = 0; i < CODE_MAX_BACKS && more; i++) {
		more = false;
		for (at = f->text->size; at--;)
			if ((f->flags[at] & (CODE_PROVEN | CODE_RETURNS)) == CODE_PROVEN &&
			    leads_to_return(f, at)) {
				f->flags[at] |= CODE_RETURNS;
				more = true;
			}
	}
}
