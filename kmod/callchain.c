// SPDX-License-Identifier: GPL-2.0
/*
 * The walk: space -> table -> step, frame by frame.
 *
 * NMI-safe: everything read is under RCU and in kernel memory but for the
 * user's own stack, which is read with page faults disabled. No lock, no
 * allocation, no print. At most ustack_max_frames rounds, each with a bounded
 * search (13 steps for the mapping, one bucket for the row).
 */
#include "callchain.h"

#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "events.h"
#include "learn.h"
#include "limits.h"
#include "regs.h"
#include "space.h"
#include "trace.h"

struct walk {
	struct ustack_user user;
	struct ustack_state state;
	const struct ustack_maps *maps;
	const struct ustack_mapping *last;
	u32 frames;
	u32 table_steps;
	u32 blind_steps;
};

/* The rule for the frame's pc, or why there is none. */
static __always_inline const struct ustack_rule *
find_rule(struct walk *w, u64 pc, enum ustack_reason *why)
{
	const struct ustack_mapping *m;
	const struct ustack_code *code;
	const struct ustack_rule *rule;

	m = ustack_maps_find(w->maps, pc, w->last);
	if (unlikely(!m)) {
		*why = USTACK_NO_IMAGE;
		return NULL;
	}
	w->last = m;
	code = rcu_dereference(m->image->code);
	if (unlikely(!code)) {
		*why = USTACK_NO_TABLE;
		if (m->image->id.kind == USTACK_IMAGE_FILE &&
		    ustack_image_is_new(m->image)) {
			*why = USTACK_BUILDING;
			ustack_learn_sight();
		}
		return NULL;
	}
	rule = ustack_code_lookup(code, pc - m->start + m->off);
	if (unlikely(!rule))
		*why = USTACK_NO_ROW;
	return rule;
}

/*
 * The program's entry code (_start) calls the C library and has, in stock
 * binaries, no row. It runs at the stack pointer that execve set up, at most
 * aligned and with a few words pushed: no other frame can be there.
 */
#define ENTRY_FRAME_BYTES 64u

static bool is_entry_frame(const struct ustack_state *s)
{
	return !s->exact &&
	       READ_ONCE(current->mm->start_stack) - s->sp <= ENTRY_FRAME_BYTES;
}

/* To the caller's frame. */
static __always_inline enum ustack_reason step(struct walk *w)
{
	enum ustack_reason why = USTACK_OK, reason;
	const struct ustack_rule *rule;

	rule = find_rule(w, ustack_state_key(&w->state), &why);
	if (likely(rule)) {
		reason = ustack_step(ustack_arch_native, rule, &w->state,
				     &w->user.mem);
		w->table_steps += !reason;
		return reason;
	}
	reason = ustack_step_blind(ustack_arch_native, &w->state, &w->user.mem);
	w->blind_steps += !reason;
	if (reason && is_entry_frame(&w->state))
		return USTACK_COMPLETE;
	/* What was missing says more than that nothing else helped. */
	return reason && reason != USTACK_COMPLETE ? why : reason;
}

/* Finds the process's mappings. Return: USTACK_OK, or why it must not be
 * walked; LEARNING still lets blind steps be tried.
 */
static enum ustack_reason find_maps(struct walk *w)
{
	struct ustack_space *space;

	space = ustack_space_find(current->mm);
	if (unlikely(!space)) {
		ustack_learn_sight();
		return USTACK_LEARNING;
	}
	if (unlikely(READ_ONCE(space->starting)))
		return USTACK_EXECVE;
	w->maps = rcu_dereference(space->maps);
	return USTACK_OK;
}

static void account(const struct walk *w, enum ustack_reason reason)
{
	ustack_count(samples, 1);
	ustack_count(frames, w->frames);
	ustack_count(table_steps, w->table_steps);
	ustack_count(blind_steps, w->blind_steps);
	ustack_count_reason(reason);
	trace_ustack_stop(reason, w->frames, w->state.pc, w->state.sp);
}

/*
 * @store takes one pc and says whether it had room. It is a constant function
 * in both callers, so that the call is direct.
 */
static __always_inline void walk_user(struct pt_regs *regs,
				      bool (*store)(void *to, u64 pc), void *to)
{
	u32 max_frames = READ_ONCE(ustack_max_frames);
	enum ustack_reason reason, found;
	struct walk w = { 0 };

	rcu_read_lock();
	/* Also a task without memory of its own has none at its SP. */
	if (!ustack_user_init(&w.user, regs, &w.state)) {
		/* The pc is known even when the stack cannot be touched. */
		w.frames = store(to, w.state.pc);
		account(&w, current->mm ? USTACK_STACK_FAULT : USTACK_NO_MM);
		goto unlock;
	}
	found = find_maps(&w);
	for (;;) {
		if (unlikely(!store(to, w.state.pc))) {
			reason = USTACK_FULL;
			break;
		}
		if (unlikely(found == USTACK_EXECVE)) {
			w.frames++;
			reason = found;
			break;
		}
		if (unlikely(++w.frames >= max_frames)) {
			reason = USTACK_DEPTH;
			break;
		}
		reason = step(&w);
		if (unlikely(reason)) {
			if (found && reason != USTACK_COMPLETE)
				reason = found;
			break;
		}
	}
	ustack_user_exit(&w.user);
	account(&w, reason);
unlock:
	rcu_read_unlock();
}

static __always_inline bool store_perf(void *to, u64 pc)
{
	return !perf_callchain_store(to, pc);
}

void ustack_callchain_user(struct perf_callchain_entry_ctx *entry,
			   struct pt_regs *regs)
{
	walk_user(regs, store_perf, entry);
}

struct entries {
	unsigned long *at;
	unsigned int nr;
	unsigned int max;
};

static __always_inline bool store_entry(void *to, u64 pc)
{
	struct entries *e = to;

	if (e->nr == e->max)
		return false;
	e->at[e->nr++] = pc;
	return true;
}

unsigned int ustack_callchain_entries(struct pt_regs *regs,
				      unsigned long *entries, unsigned int max)
{
	struct entries e = { .at = entries, .max = max };

	walk_user(regs, store_entry, &e);
	return e.nr;
}
