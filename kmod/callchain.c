// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk: space -> table -> step, frame by frame.
 *
 * NMI-safe: all data is under RCU and in kernel memory, except the user's own
 * stack, which is read with page faults disabled (only deferred walks leave RCU
 * to wait for a page). No lock, no allocation, no print. At most
 * ustack_max_frames rounds, each with a bounded search (14 steps for the
 * mapping, one bucket for the row). As many again, and USTACK_MAX_SCAN / 4 more,
 * may be in vain, see ustack_step_back(): each round of a walk that goes back
 * counts as four words, and a search ends when the words are used up.
 */
#include "callchain.h"

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include <asm/syscall.h>
#include <asm/unistd.h>

#include "events.h"
#include "learn.h"
#include "limits.h"
#include "regs.h"
#include "space.h"
#include "stride.h"
#include "trace.h"
#include "uretprobe.h"
#include "utask.h"

/*
 * @window: mapping in which strides can be made: the table of @last, empty if
 *          there is none
 * @stop: why no more frames can be stored
 * @to: where frames are stored
 * @probed: return addresses may have been replaced: @probes is valid
 */
struct walk {
	struct ustack_user user;
	struct ustack_state state;
	const struct ustack_maps *maps;
	const struct ustack_mapping *last;
	struct ustack_window window;
	enum ustack_reason stop;
	u32 max_frames;
	u32 frames;
	u32 table_steps;
	u32 blind_steps;
	void *to;
	bool probed;
	struct ustack_uretprobes probes;
};

/* Return: the rule for the frame's pc; NULL with *@why. */
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

static bool is_entry_frame(struct walk *w)
{
	return ustack_state_is_entry(&w->state, &w->user.mem, ustack_user_read_u64,
				     READ_ONCE(current->mm->start_stack));
}

/* Steps without a rule, or with one that does not lead on because of @why. */
static noinline enum ustack_reason step_blind(struct walk *w,
					      enum ustack_reason why)
{
	enum ustack_reason reason;

	/*
	 * Guesses are allowed only where a row will never come: JIT code, and
	 * code that assemblers left out. A file without a table is ordinary
	 * code, whose rows may still come.
	 */
	w->user.mem.may_guess = READ_ONCE(ustack_guess) &&
				(why == USTACK_NO_ROW || why == USTACK_NO_IMAGE);
	w->user.mem.may_search = why == USTACK_NO_IMAGE && w->maps;
	w->user.mem.frames = w->frames;
	reason = ustack_step_blind(ustack_arch_native, &w->state, &w->user.mem);
	w->blind_steps += !reason;
	/* The original reason says more than the failure of this step. */
	return reason && reason != USTACK_COMPLETE ? why : reason;
}

/*
 * Steps where nothing proves the way, like the kernel would. @why: why there is
 * no proof.
 */
static noinline enum ustack_reason follow(struct walk *w, enum ustack_reason why)
{
	enum ustack_reason reason;

	reason = ustack_step_follow(ustack_arch_native, &w->state, &w->user.mem);
	w->blind_steps += !reason;
	return reason && reason != USTACK_COMPLETE ? why : reason;
}

/*
 * Steps to the caller's frame. @read: a constant, reads stack words for plain
 * rules.
 */
static __always_inline enum ustack_reason step(struct walk *w,
					       ustack_read_u64 *read)
{
	enum ustack_reason why = USTACK_OK;
	const struct ustack_rule *rule;

	rule = find_rule(w, ustack_state_key(&w->state), &why);
	if (likely(rule)) {
		why = ustack_step_with(ustack_arch_native, rule, &w->state,
				       &w->user.mem, read);
		w->table_steps += !why;
	}
	/*
	 * A step by SP over code without a table (AArch64) may fail: the
	 * frame's own record may still lead on.
	 */
	if (unlikely(!rule || (why == USTACK_NO_REGISTER && w->state.sp_bound)))
		why = step_blind(w, why);
	if (likely(!why || why == USTACK_COMPLETE))
		return why;
	if (is_entry_frame(w))
		return USTACK_COMPLETE;
	/* The row says that FP does not lead to the caller. */
	return rule ? why : follow(w, why);
}

/* For frame-pointer steps: whether the address is in a mapping of code. */
static bool is_code(struct ustack_mem *mem, u64 addr)
{
	const struct walk *w = container_of(mem, struct walk, user.mem);

	return !w->maps || ustack_maps_find(w->maps, addr, w->last);
}

/*
 * Reads stack words as the program has written them, for steps without a plain
 * rule: undoes the replacements by uretprobes.
 */
static bool read_through(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct walk *w = container_of(mem, struct walk, user.mem);

	if (!ustack_user_read_u64(mem, addr, ret))
		return false;
	*ret = ustack_uretprobe_word(&w->probes, ustack_arch_native, mem, addr,
				     *ret);
	return true;
}

/*
 * Prepares for pending uretprobes. Steps by plain rules read words unchanged,
 * and is_replaced() checks their results.
 */
static noinline void look_through(struct walk *w)
{
	w->probed = ustack_uretprobes_init(&w->probes, &w->user.mem);
	if (!w->probed)
		return;
	w->user.mem.read_u64 = read_through;
	ustack_uretprobe_frame(&w->probes, ustack_arch_native, &w->user.mem,
			       &w->state);
	ustack_uretprobe_lr(&w->probes, &w->user.mem, &w->state);
}

/*
 * Return: whether the frame's pc was the trampoline of uretprobes; then it was
 * replaced by the caller's pc.
 */
static noinline bool is_replaced(struct walk *w)
{
	return ustack_uretprobe_frame(&w->probes, ustack_arch_native,
				      &w->user.mem, &w->state);
}

/*
 * Return: whether another process may be writing to the stack. In execve() a
 * child of vfork() lets its parent run on, and leaves the parent's memory only
 * then (exec_mm_release(), exec_mmap()). In between the parent writes to the
 * stack that the child's registers belong to. Read without a lock: if something
 * else raises the count for a moment, a stack of a task in execve() is short.
 */
static bool stack_is_anothers(void)
{
	long nr = syscall_get_nr(current, task_pt_regs(current));

	return unlikely(nr == __NR_execve || nr == __NR_execveat) &&
	       !READ_ONCE(current->vfork_done) &&
	       atomic_read(&current->mm->mm_users) >
		       READ_ONCE(current->signal->nr_threads);
}

/*
 * Finds the process's mappings. Return: USTACK_OK, or why the process must not
 * be walked; with LEARNING, blind steps may still be tried.
 */
static enum ustack_reason find_maps(struct walk *w)
{
	struct ustack_space *space;

	space = ustack_space_find(current->mm);
	if (unlikely(!space)) {
		ustack_learn_sight();
		return USTACK_LEARNING;
	}
	if (unlikely(READ_ONCE(space->starting)) || stack_is_anothers())
		return USTACK_EXECVE;
	w->maps = rcu_dereference(space->maps);
	return USTACK_OK;
}

static void account_guesses(const struct walk *w, enum ustack_reason reason)
{
	ustack_count(guessed_steps, w->user.mem.guessed);
	ustack_count(guessed_samples, 1);
	if (reason == USTACK_COMPLETE)
		ustack_count(guessed_complete, 1);
}

static void account(const struct walk *w, enum ustack_reason reason)
{
	ustack_count(samples, 1);
	ustack_count(frames, w->frames);
	ustack_count(table_steps, w->table_steps);
	ustack_count(blind_steps, w->blind_steps);
	ustack_count_reason(reason);
	if (unlikely(w->user.mem.guessed))
		account_guesses(w, reason);
	trace_ustack_stop(reason, w->frames, w->state.pc, w->state.sp,
			  w->user.mem.guessed);
}

/* Moves the window to the mapping of the frame's pc. */
static __always_inline void move_window(struct walk *w)
{
	const struct ustack_mapping *m;
	const struct ustack_code *code;

	m = ustack_maps_find(w->maps, ustack_state_key(&w->state), w->last);
	if (m == w->last)
		return;
	w->last = m;
	w->window.len = 0;
	code = m ? rcu_dereference(m->image->code) : NULL;
	/* ustack_code_lookup() handles images with several deltas. */
	if (!code || code->nr_more)
		return;
	w->window = (struct ustack_window){
		.table = &code->table,
		.start = m->start,
		.len = m->end - m->start,
		.rel = m->off + code->delta - code->table.base,
	};
	ustack_window_clip(&w->window);
}

/*
 * Return: whether the frame's pc is a return address outside every mapping that
 * may get a table, and no call is in front of it (in JIT code there would be
 * one): then the step before went wrong, because a row is wrong or the stack
 * was overwritten.
 */
static noinline bool is_garbage(struct walk *w)
{
	u64 entry;

	return !w->state.exact && w->maps &&
	       w->state.pc != w->user.mem.followed &&
	       !ustack_maps_find(w->maps, ustack_state_key(&w->state), NULL) &&
	       !ustack_arch_native->call_target(&w->user.mem, w->state.pc,
						&entry);
}

/*
 * The walk has failed. Return: whether it goes on from the frame in which a search
 * of the stack began.
 */
static noinline bool go_back(struct walk *w, void (*take_back)(struct walk *w))
{
	w->user.mem.frames = w->frames;
	if (!ustack_step_back(&w->state, &w->user.mem))
		return false;
	while (w->frames > w->user.mem.search.frames)
		take_back(w);
	return true;
}

/*
 * Walks the frames. @put stores one pc in the walk and returns whether there
 * was room; @take_back undoes the last one; @read reads a stack word. They are
 * constant functions in both callers, so that calls to them are direct.
 */
static __always_inline enum ustack_reason
walk_frames(struct walk *w, bool (*put)(void *walk, u64 pc),
	    void (*take_back)(struct walk *w), ustack_read_u64 *read)
{
	enum ustack_reason reason;
	u32 before;

	for (;;) {
		before = w->frames;
		move_window(w);
		if (likely(w->window.len && ustack_user_begin())) {
			ustack_stride(&w->window, &w->state, &w->user.mem,
				      ustack_user_read_within, put, w);
			ustack_user_end();
		}
		w->table_steps += w->frames - before;
		if (unlikely(w->stop))
			return w->stop;
		if (w->frames > 1 &&
		    ustack_state_key(&w->state) - w->window.start >=
			    w->window.len) {
			if (unlikely(w->probed) && is_replaced(w)) {
				take_back(w);
				put(w, w->state.pc);
				continue;
			}
			if (is_garbage(w)) {
				take_back(w);
				if (go_back(w, take_back))
					continue;
				return USTACK_BAD_RA;
			}
		}
		reason = step(w, read);
		if (reason) {
			if (reason != USTACK_COMPLETE && go_back(w, take_back))
				continue;
			return reason;
		}
		if (unlikely(!put(w, w->state.pc)))
			return w->stop;
	}
}

/*
 * Prepares for the sampled frame. Return: whether user memory may be read; then
 * ustack_user_exit() must follow.
 */
static __always_inline bool begin(struct walk *w, struct pt_regs *regs)
{
	bool readable = ustack_user_init(&w->user, regs, &w->state);

	w->user.mem.is_code = is_code;
	w->user.mem.may_follow = READ_ONCE(ustack_guess);
	if (unlikely(ustack_return_instances()))
		look_through(w);
	return readable;
}

/*
 * Walks from the last frame stored to the end. The pc of the sampled frame is
 * known even if the stack cannot be read. In execve() it must not be: the
 * registers still belong to the old memory.
 */
static __always_inline enum ustack_reason
walk_on(struct walk *w, bool readable, bool (*put)(void *walk, u64 pc),
	void (*take_back)(struct walk *w), ustack_read_u64 *read)
{
	enum ustack_reason found = USTACK_NO_MM, reason = USTACK_STACK_FAULT;

	if (likely(current->mm))
		found = find_maps(w);
	if (found == USTACK_EXECVE || found == USTACK_NO_MM)
		return found;
	if (readable)
		reason = walk_frames(w, put, take_back, read);
	return found && reason != USTACK_COMPLETE ? found : reason;
}

/* Return: whether the frame cap leaves room for one more. */
static __always_inline bool below_cap(struct walk *w)
{
	if (likely(w->frames < w->max_frames))
		return true;
	w->stop = USTACK_DEPTH;
	return false;
}

static __always_inline bool put_perf(void *walk, u64 pc)
{
	struct walk *w = walk;

	if (unlikely(!below_cap(w)))
		return false;
	if (unlikely(perf_callchain_store(w->to, pc))) {
		w->stop = USTACK_FULL;
		return false;
	}
	w->frames++;
	return true;
}

static __always_inline void take_back_perf(struct walk *w)
{
	struct perf_callchain_entry_ctx *ctx = w->to;

	ctx->entry->nr--;
	ctx->nr--;
	w->frames--;
}

void ustack_callchain_user(struct perf_callchain_entry_ctx *entry,
			   struct pt_regs *regs)
{
	struct walk w = {
		.to = entry,
		.max_frames = READ_ONCE(ustack_max_frames),
	};
	enum ustack_reason reason;
	bool readable;

	rcu_read_lock();
	readable = begin(&w, regs);
	reason = put_perf(&w, w.state.pc) ?
			 walk_on(&w, readable, put_perf, take_back_perf,
				 ustack_user_read_u64) :
			 w.stop;
	if (readable)
		ustack_user_exit(&w.user);
	account(&w, reason);
	rcu_read_unlock();
}

struct entries {
	unsigned long *at;
	unsigned int nr;
	unsigned int max;
};

static __always_inline bool put_entry(void *walk, u64 pc)
{
	struct walk *w = walk;
	struct entries *e = w->to;

	if (unlikely(!below_cap(w)))
		return false;
	if (unlikely(e->nr == e->max)) {
		w->stop = USTACK_FULL;
		return false;
	}
	e->at[e->nr++] = pc;
	w->frames++;
	return true;
}

static __always_inline void take_back_entry(struct walk *w)
{
	struct entries *e = w->to;

	e->nr--;
	w->frames--;
}

/*
 * A walk in task context, which may wait for pages that are swapped out: it
 * ends at the first word that is not present, leaves RCU, lets the word be
 * faulted in, and goes on from the last frame. Tables and mappings are looked
 * up again.
 *
 * @w: must be first; the walk that NMI context uses, too
 * @missing: address of the last word that was not present in this round, or 0
 * @faults: number of words waited for, at most one for each frame that may be
 *          stored
 */
struct deferred {
	struct walk w;
	u64 missing;
	u32 faults;
};

static bool read_noting(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct walk *w = container_of(mem, struct walk, user.mem);
	struct deferred *d = container_of(w, struct deferred, w);
	bool there = w->probed ? read_through(mem, addr, ret) :
				 ustack_user_read_u64(mem, addr, ret);

	if (!there)
		d->missing = addr;
	return there;
}

/* Return: see begin(). */
static bool first_round(struct deferred *d, struct pt_regs *regs)
{
	struct walk *w = &d->w;
	bool readable = begin(w, regs);

	w->user.mem.read_u64 = read_noting;
	if (!readable)
		d->missing = w->state.sp;
	put_entry(w, w->state.pc);
	return readable;
}

/* Clears pointers that were found under RCU, as the objects may be gone. */
static void next_round(struct deferred *d)
{
	struct walk *w = &d->w;

	ustack_user_enter(&w->user);
	w->user.mem.scanned = 0;
	/* what was missing in a search may be there now */
	w->user.mem.search = (struct ustack_search){ 0 };
	w->window.len = 0;
	w->last = NULL;
	w->maps = NULL;
}

static enum ustack_reason walk_round(struct deferred *d, struct pt_regs *regs)
{
	enum ustack_reason reason;
	struct walk *w = &d->w;
	bool readable = true;

	rcu_read_lock();
	d->missing = 0;
	if (w->frames)
		next_round(d);
	else
		readable = first_round(d, regs);
	reason = w->stop ? w->stop :
			   walk_on(w, readable, put_entry, take_back_entry,
				   read_noting);
	if (readable)
		ustack_user_exit(&w->user);
	rcu_read_unlock();
	return reason;
}

static bool fault_in(struct deferred *d, enum ustack_reason reason)
{
	if (!d->missing || d->w.stop || reason == USTACK_COMPLETE ||
	    reason == USTACK_BAD_RA || reason == USTACK_EXECVE ||
	    d->faults++ >= d->w.max_frames)
		return false;
	return ustack_user_fault_in(&d->w.user, d->missing);
}

unsigned int ustack_callchain_entries(struct pt_regs *regs,
				      unsigned long *entries, unsigned int max)
{
	struct entries e = { .at = entries, .max = max };
	struct deferred d = {
		.w.to = &e,
		.w.max_frames = READ_ONCE(ustack_max_frames),
	};
	enum ustack_reason reason;

	might_sleep();
	do {
		reason = walk_round(&d, regs);
	} while (fault_in(&d, reason));
	account(&d.w, reason);
	return e.nr;
}
