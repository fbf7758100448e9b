// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampler's programs. Data flows through the headers in this order:
 *
 *	event -> claim (count) -> who -> walk -> stack_id, add_count (count) -> maps
 *
 * A program gets an event's index in the options as the cookie of its attachment.
 */
#define MADE_FOR_READERS

#include "kernel.bpf.h"
#include "maps.bpf.h"
#include "count.bpf.h"
#include "who.bpf.h"
#include "walk.bpf.h"
#include "walk_tables.bpf.h"
#include "lang.bpf.h"
#include "wait.bpf.h"
#include "usdt.bpf.h"

char sampler_license[] SEC("license") = "GPL";

/*
 * How the user stack is walked; a constant in every program. Each event has a program of each
 * kind, and only the programs that are used are loaded: the walk by tables is a hundred times
 * as large as the rest.
 */
enum by {
	BY_KERNEL,	/* bpf_get_stack(): frame pointers, or the module's tables */
	BY_TABLES,	/* unwind.bpf.h */
};

/* @in_user: the sample interrupted user code, so there is no kernel stack */
static __always_inline enum wire_fate take(void *ctx, struct scratch *s, __u32 event,
					   __u64 weight, bool in_user, enum by by)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	enum wire_fate fate = WIRE_COUNTED;
	__u32 nr_user, nr_kernel = 0, nr_lang;
	struct window w;

	if (!task->pid)
		return WIRE_IDLE;
	if (!who(&s->key, task, event))
		return WIRE_FILTERED;
	if (by == BY_TABLES)
		nr_user = walk_by_tables(&s->user, &s->regs, task, user_frames, &s->key.why);
	else
		nr_user = walk_user(ctx, task, s->user.to.pc, user_frames, &s->key.why);
	if (!in_user)
		nr_kernel = walk_kernel(ctx, s->kernel.pc, kernel_frames);
	if (nr_user == WALK_FAILED || nr_kernel == WALK_FAILED)
		return WIRE_NO_BUFFER;
	nr_lang = lang_take(s, s->key.epoch, LANG_SLOTS);
	if (!window_get(&w))
		return WIRE_NO_WINDOW;
	set_time(&s->key, 0);
	s->key.flags = (nr_user == user_frames && nr_user ? WIRE_USER_CUT : 0) |
		       (nr_kernel == kernel_frames && nr_kernel ? WIRE_KERNEL_CUT : 0);
	s->key.user = stack_id(&w, s, &s->user_recent, s->user.to.zero, WIRE_FRAMES, nr_user,
			       &fate);
	if (fate != WIRE_COUNTED)
		return fate;
	s->key.kernel = stack_id(&w, s, &s->kernel_recent, s->kernel.zero, WIRE_FRAMES,
				 nr_kernel, &fate);
	if (fate != WIRE_COUNTED)
		return fate;
	s->key.lang = lang_id(&w, s, s->lang.to.zero, LANG_SLOTS, nr_lang, &fate);
	if (fate != WIRE_COUNTED)
		return fate;
	return add_count(&w, s, weight);
}

static __always_inline void sample(void *ctx, struct scratch *s, __u32 event, __u64 weight,
				   bool in_user, enum by by)
{
	enum wire_fate fate = take(ctx, s, event, weight, in_user, by);
	struct wire_tally *t = tally_of(s->level);

	if (t) {
		tally_add(t, fate);
		t->weight[event & (WIRE_EVENTS - 1)] += weight;
	}
	release(s);
}

/*
 * Takes a sample at a perf event: the registers are those of the interrupted code, in user or
 * kernel mode.
 */
static __always_inline int perf_event(struct bpf_perf_event_data *ctx, enum by by)
{
	bool in_user = regs_user_mode(&ctx->regs);
	struct scratch *s;

	if (!counting)
		return 0;
	s = claim();
	if (!s)
		return 0;
	if (by == BY_TABLES && in_user)
		WALK_COPY_CONTEXT(&s->regs, &ctx->regs);
	else if (by == BY_TABLES)
		walk_task_regs(&s->regs, bpf_get_current_task_btf());
	sample(ctx, s, bpf_get_attach_cookie(ctx), ctx->sample_period, in_user, by);
	return 0;
}

static __always_inline int passing_event(void *ctx, __u32 event, bool in_user, enum by by)
{
	struct scratch *s;

	if (!counting)
		return 0;
	s = claim();
	if (!s)
		return 0;
	if (by == BY_TABLES)
		walk_task_regs(&s->regs, bpf_get_current_task_btf());
	sample(ctx, s, event, 1, in_user, by);
	return 0;
}

/* Takes a sample at a probe or tracepoint that a task passes. */
static __always_inline int passing(void *ctx, bool in_user, enum by by)
{
	return passing_event(ctx, bpf_get_attach_cookie(ctx), in_user, by);
}

SEC("perf_event")
int on_perf_event(struct bpf_perf_event_data *ctx)
{
	return perf_event(ctx, BY_KERNEL);
}

SEC("perf_event")
int on_perf_event_tables(struct bpf_perf_event_data *ctx)
{
	return perf_event(ctx, BY_TABLES);
}

SEC("tracepoint")
int on_tracepoint(void *ctx)
{
	return passing(ctx, false, BY_KERNEL);
}

SEC("tracepoint")
int on_tracepoint_tables(void *ctx)
{
	return passing(ctx, false, BY_TABLES);
}

SEC("kprobe")
int on_kprobe(void *ctx)
{
	return passing(ctx, false, BY_KERNEL);
}

SEC("kprobe")
int on_kprobe_tables(void *ctx)
{
	return passing(ctx, false, BY_TABLES);
}

SEC("uprobe")
int on_uprobe(void *ctx)
{
	return passing(ctx, true, BY_KERNEL);
}

SEC("uprobe")
int on_uprobe_tables(void *ctx)
{
	return passing(ctx, true, BY_TABLES);
}

/* libbpf uses the cookie of the attachment; the event's index is beside it. */
SEC("usdt")
int on_usdt(struct pt_regs *ctx)
{
	return passing_event(ctx, bpf_usdt_cookie(ctx), true, BY_KERNEL);
}

SEC("usdt")
int on_usdt_tables(struct pt_regs *ctx)
{
	return passing_event(ctx, bpf_usdt_cookie(ctx), true, BY_TABLES);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	return task_switch(ctx, preempt, prev, next, prev_state, false);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch_tables, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	return task_switch(ctx, preempt, prev, next, prev_state, true);
}
