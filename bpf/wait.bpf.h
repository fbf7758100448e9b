/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Time off the CPU. A thread's stacks are taken when it stops running, while they can be
 * walked. They become ids only when it runs again, if it waited long enough: so nothing here
 * refers to a window that may have ended by then.
 */
#ifndef USTACK_BPF_WAIT_H
#define USTACK_BPF_WAIT_H

#include <bpf/bpf_tracing.h>

#include "count.bpf.h"
#include "lang.bpf.h"
#include "walk.bpf.h"
#include "walk_tables.bpf.h"
#include "who.bpf.h"

static __always_inline enum wire_fate wait_count(struct scratch *s, const struct wire_wait *wait,
						 __u32 tid, __u64 now)
{
	enum wire_fate fate = WIRE_COUNTED;
	struct window w;

	if (!window_get(&w))
		return WIRE_NO_WINDOW;
	s->key = wait->key;
	/* the time at which the wait ended */
	set_time(&s->key, now);
	s->key.user = stack_id(&w, s, &s->user_recent, wait->user.zero, WIRE_WAIT_USER,
			       wait->nr_user, &fate);
	if (fate != WIRE_COUNTED)
		return fate;
	s->key.kernel = stack_id(&w, s, &s->kernel_recent, wait->kernel.zero, WIRE_WAIT_KERNEL,
				 wait->nr_kernel, &fate);
	if (fate != WIRE_COUNTED)
		return fate;
	s->key.lang = lang_wait_id(&w, s, tid, wait->nr_lang, &fate);
	if (fate != WIRE_COUNTED)
		return fate;
	return add_count(&w, s, now - wait->since);
}

/*
 * Counts the wait of @tid, which runs again. A separate function: it does not need its stack at
 * the same time as the walk, and Linux 6.1 counts 512 bytes over all functions.
 */
static __attribute__((__noinline__)) int wait_end(struct scratch *s, struct wire_tally *t,
						  __u32 tid, __u64 now)
{
	const struct wire_wait *wait = bpf_map_lookup_elem(&waits, &tid);
	__u64 ns;

	if (!wait)
		return 0;
	ns = now - wait->since;
	tally_add(t, ns < wait_min_ns ? WIRE_SHORT : wait_count(s, wait, tid, now));
	if (wait->nr_lang)
		bpf_map_delete_elem(&lang_waits, &tid);
	bpf_map_delete_elem(&waits, &tid);
	return 0;
}

/* Walks by tables like for other samples, and keeps as many frames as a wait has room for. */
static __always_inline __u32 wait_walk(struct scratch *s, struct task_struct *task)
{
	__u32 nr;

	walk_task_regs(&s->regs, task);
	nr = walk_by_tables(&s->user, &s->regs, task, wait_user_frames, &s->wait.key.why);
	if (nr > WIRE_WAIT_USER)
		nr = WIRE_WAIT_USER;
	bpf_probe_read_kernel(s->wait.user.pc, nr * sizeof(s->wait.user.pc[0]), s->user.to.pc);
	return nr;
}

/* Begins the wait of the current thread, which stops running. */
static __always_inline enum wire_fate wait_begin(void *ctx, struct scratch *s,
						 struct wire_tally *t, struct task_struct *task,
						 bool can_run, __u64 now, bool tables)
{
	struct wire_wait *wait = &s->wait;
	__u32 nr_user, nr_kernel;
	__u32 tid = task->pid;
	int err;

	if ((can_run && blocked_only) || !who(&wait->key, task, wait_event))
		return WIRE_FILTERED;
	nr_user = tables ? wait_walk(s, task) :
			   walk_user(ctx, task, wait->user.pc, wait_user_frames, &wait->key.why);
	nr_kernel = walk_kernel(ctx, wait->kernel.pc, wait_kernel_frames);
	if (nr_user == WALK_FAILED || nr_kernel == WALK_FAILED)
		return WIRE_NO_BUFFER;
	wait->key.flags = (can_run ? WIRE_PREEMPTED : 0) |
			  (nr_user && nr_user == wait_user_frames ? WIRE_USER_CUT : 0) |
			  (nr_kernel && nr_kernel == wait_kernel_frames ? WIRE_KERNEL_CUT : 0);
	wait->nr_user = nr_user;
	wait->nr_kernel = nr_kernel;
	wait->nr_lang = lang_wait_begin(s, wait->key.epoch, tid);
	wait->since = now;
	err = bpf_map_update_elem(&waits, &tid, wait, BPF_NOEXIST);
	if (err == -EEXIST) {
		/*
		 * on_switch() missed the end of its last wait: the thread runs, so the wait has
		 * ended
		 */
		tally_add(t, WIRE_UNENDED);
		err = bpf_map_update_elem(&waits, &tid, wait, BPF_EXIST);
	}
	if (err && wait->nr_lang)
		bpf_map_delete_elem(&lang_waits, &tid);
	return err ? WIRE_WAITS_FULL : WIRE_WAITS;
}

/* @tables: walk stacks by tables, a constant */
static __always_inline int task_switch(void *ctx, bool preempt, struct task_struct *prev,
				       struct task_struct *next, unsigned int prev_state,
				       bool tables)
{
	bool can_run = preempt || prev_state == TASK_RUNNING;
	struct wire_tally *t;
	struct scratch *s;
	__u64 now;

	if (!counting)
		return 0;
	s = claim();
	if (!s)
		return 0;
	t = tally_of(s->level);
	if (t) {
		now = bpf_ktime_get_ns();
		if (next->pid)
			wait_end(s, t, next->pid, now);
		if (prev->pid && (can_run || !(prev_state & TASK_DEAD)))
			tally_add(t, wait_begin(ctx, s, t, prev, can_run, now,
						tables));
	}
	release(s);
	return 0;
}

#endif /* USTACK_BPF_WAIT_H */
