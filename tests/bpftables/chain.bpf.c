// SPDX-License-Identifier: GPL-2.0-only
/* The sampler's walk by tables, frame by frame, of each sample of an event that is not its own. */
#include "kernel.bpf.h"
#include "maps.bpf.h"
#include "count.bpf.h"
#include "walk_tables.bpf.h"

#include "chain.h"

char chain_license[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 26);
} chains SEC(".maps");

__u64 chains_lost;

static __always_inline void put(struct scratch *s, const struct task_struct *task)
{
	__u32 nr = walk_by_tables(&s->user, &s->regs, task, WIRE_FRAMES, &s->key.why);
	struct chain *c = (struct chain *)&s->user.to;	/* its head are the zeros */

	if (!nr || nr > WIRE_FRAMES)
		return;
	_Static_assert(sizeof(s->user.to) == sizeof(*c), "a stack with its head");
	c->time = bpf_ktime_get_ns();
	c->sp = s->regs.sp;
	c->tid = task->pid;
	c->tgid = task->tgid;
	c->why = s->key.why;
	c->nr = nr;
	c->guessed = s->user.mem.guessed;
	if (bpf_ringbuf_output(&chains, c, 8 * (CHAIN_HEAD + nr), 0))
		__sync_fetch_and_add(&chains_lost, 1);
	__builtin_memset(s->user.to.zero, 0, sizeof(s->user.to.zero));
}

SEC("perf_event")
int walk_sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct scratch *s;

	if ((task->flags & PF_KTHREAD) || !task->mm)
		return 1;
	s = claim();
	if (!s)
		return 1;
	if (regs_user_mode(&ctx->regs))
		WALK_COPY_CONTEXT(&s->regs, &ctx->regs);
	else
		walk_task_regs(&s->regs, task);
	put(s, task);
	release(s);
	return 1;
}
