/* SPDX-License-Identifier: GPL-2.0-only */
/* The stacks of the current thread as the kernel walks them, and why the user stack ended. */
#ifndef USTACK_BPF_WALK_H
#define USTACK_BPF_WALK_H

#include "kernel.bpf.h"
#include "maps.bpf.h"

#define NO_WALK (~0u)
/* returned instead of a number of frames */
#define WALK_FAILED (~0u)

/*
 * The module's report on the last walk on this CPU: note_stop() runs within bpf_get_stack(), in
 * any context. Programs that interrupt one another each put back the report that they found.
 * The report of another walk, say one of perf's, differs in its thread or its number of frames;
 * for the same stack of the same thread it says the same.
 */
struct stop {
	__u32 reason;
	__u32 frames;
	__u32 tid;
	__u32 pad;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stop);
} stops SEC(".maps");

static __always_inline struct stop *stop_here(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&stops, &zero);
}

/* The module calls this with: reason, frames, pc, sp, guessed steps. */
SEC("raw_tp/ustack_stop")
int note_stop(struct bpf_raw_tracepoint_args *ctx)
{
	struct stop *stop = stop_here();

	if (stop) {
		stop->reason = ctx->args[0] == WIRE_WHY_COMPLETE && ctx->args[4] ?
				       WIRE_WHY_GUESSED : ctx->args[0];
		stop->frames = ctx->args[1];
		stop->tid = bpf_get_current_pid_tgid();
	}
	return 0;
}

static __always_inline __u8 why_of(const struct stop *stop, __u32 frames)
{
	if (stop->frames == NO_WALK)
		return module_attached ? WIRE_WHY_NOT_ASKED : WIRE_WHY_NO_MODULE;
	if (stop->frames != frames || stop->tid != (__u32)bpf_get_current_pid_tgid())
		return WIRE_WHY_UNCLEAR;
	return stop->reason;
}

static __always_inline __u32 frames_of(long bytes)
{
	return bytes < 0 ? WALK_FAILED : (__u32)bytes / 8;
}

/*
 * Return: number of frames at @pcs, innermost first, 0 for a thread without user memory; or
 * WALK_FAILED if the kernel had no buffer.
 */
static __always_inline __u32 walk_user(void *ctx, const struct task_struct *task, __u64 *pcs,
				     __u32 max, __u8 *why)
{
	struct stop *stop, outer;
	long bytes;

	*why = WIRE_WHY_NO_USER;
	if (!max || (task->flags & PF_KTHREAD) || !task->mm)
		return 0;
	stop = stop_here();
	if (!stop)
		return WALK_FAILED;
	outer = *stop;
	stop->frames = NO_WALK;
	bytes = bpf_get_stack(ctx, pcs, max * 8, BPF_F_USER_STACK);
	if (bytes > 0)
		*why = why_of(stop, frames_of(bytes));
	*stop = outer;
	return frames_of(bytes);
}

static __always_inline __u32 walk_kernel(void *ctx, __u64 *pcs, __u32 max)
{
	long bytes;

	if (!max)
		return 0;
	bytes = bpf_get_stack(ctx, pcs, max * 8, 0);
	return frames_of(bytes);
}

#endif /* USTACK_BPF_WALK_H */
