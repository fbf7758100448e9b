// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the sampler's walk by tables at each sample of another program's event, and writes the
 * walks to a ring buffer; if wanted, also the kernel's walk by frame pointers. chains.c loads it.
 */
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

const volatile bool with_kernel;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 26);
} kernel_chains SEC(".maps");

/* @busy: a program owns it, see level.bpf.h */
struct kernel_walk {
	__u32 busy;
	__u64 pc[CHAIN_KERNEL_FRAMES];
	struct chain chain;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WIRE_LEVELS);
	__type(key, __u32);
	__type(value, struct kernel_walk);
} kernel_walks SEC(".maps");

/*
 * Writes the kernel's walk. The loop is bounded by the number of frames. A read of user memory
 * does not fault here: code that is not in memory has its bit set in @unread.
 */
static __always_inline void put_kernel(struct kernel_walk *k, const struct chain *ours,
				       struct bpf_perf_event_data *ctx)
{
	struct chain *c = &k->chain;
	long bytes = bpf_get_stack(ctx, k->pc, sizeof(k->pc), BPF_F_USER_STACK);
	__u32 i, nr, from;

	if (bytes < 16 || bytes > (long)sizeof(k->pc))
		return;
	/* if the event has a callchain, this is a piece of it, with its marker before it */
	from = k->pc[0] >= (__u64)-4095;
	nr = (__u32)bytes / 8 - from;
	c->time = ours->time;
	c->sp = ours->sp;
	c->tid = ours->tid;
	c->tgid = ours->tgid;
	c->nr = 2 * nr;
	c->unread[0] = c->unread[1] = 0;
	for (i = 0; i < CHAIN_KERNEL_FRAMES && i < nr; i++) {
		c->pc[i] = k->pc[(i + from) & (CHAIN_KERNEL_FRAMES - 1)];
		if (bpf_probe_read_user(&c->pc[(nr + i) & (WIRE_FRAMES - 1)], 8, (void *)(c->pc[i] - 8)))
			c->unread[i / 64 & 1] |= 1ull << i % 64;
	}
	if (bpf_ringbuf_output(&kernel_chains, c, 8 * (CHAIN_HEAD + 2 * (nr & 255)), 0))
		__sync_fetch_and_add(&chains_lost, 1);
}

static __always_inline void take_kernel(const struct chain *ours, struct bpf_perf_event_data *ctx)
{
	__u32 level;
	struct kernel_walk *k = level_claim(&kernel_walks, &level);

	if (!k)
		return;
	put_kernel(k, ours, ctx);
	level_release(k);
}

static __always_inline void put(struct scratch *s, const struct task_struct *task,
				struct bpf_perf_event_data *ctx)
{
	__u32 nr = walk_by_tables(&s->user, &s->regs, task, WIRE_FRAMES, &s->key.why);
	struct chain *c = (struct chain *)&s->user.to;	/* the zeros have room for its head */

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
	if (with_kernel)
		take_kernel(c, ctx);
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
	put(s, task, ctx);
	release(s);
	return 1;
}
