// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two walks of the interrupted user code: by unwind tables, and the kernel's by frame pointers.
 */
#include "kernel.bpf.h"
#include "maps.bpf.h"
#include "count.bpf.h"
#include "walk_tables.bpf.h"

char bpfwalk_license[] SEC("license") = "GPL";

/* Sums of all walks. One program at a time adds to them, on one CPU. */
__u64 stacks[2];
__u64 frames[2];
__u64 whole;

static __always_inline void note(__u32 which, __u64 nr)
{
	__sync_fetch_and_add(&stacks[which], 1);
	__sync_fetch_and_add(&frames[which], nr);
}

SEC("perf_event")
int by_tables(struct bpf_perf_event_data *ctx)
{
	struct scratch *s = claim();
	__u32 nr;

	if (!s)
		return 1;
	WALK_COPY_CONTEXT(&s->regs, &ctx->regs);
	nr = walk_by_tables(&s->user, &s->regs, bpf_get_current_task_btf(), WIRE_FRAMES, &s->key.why);
	note(0, nr);
	if (s->key.why == WIRE_WHY_COMPLETE)
		__sync_fetch_and_add(&whole, 1);
	release(s);
	return 1;
}

SEC("perf_event")
int by_frame_pointers(struct bpf_perf_event_data *ctx)
{
	struct scratch *s = claim();
	long bytes;

	if (!s)
		return 1;
	bytes = bpf_get_stack(ctx, s->kernel.pc, sizeof(s->kernel.pc), BPF_F_USER_STACK);
	note(1, bytes > 0 ? (__u64)bytes / 8 : 0);
	release(s);
	return 1;
}
