// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that is not part of ustack: it takes a stack at each sample of an event that
 * another program opened, by the linked walk.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <linux/errno.h>

#include "chain.h"
#include "kernel.bpf.h"
#include "ustack_stack.bpf.h"

char probe_license[] SEC("license") = "GPL";

struct work {
	struct ustack_stack stack;
	struct chain chain;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct work);
} works SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 26);
} chains SEC(".maps");

/*
 * Counts: walks; walks that were refused because there is no supplier; other failures; walks
 * that the ring had no room for.
 */
__u64 walked, orphaned, refused, lost;

static __always_inline void put(struct work *w, struct task_struct *task)
{
	const struct user_regs *regs = (void *)bpf_task_pt_regs(task);
	struct chain *c = &w->chain;
	__u64 nr = w->stack.nr;

	/* 6.1's verifier must see the limit of the very value that is used */
	asm volatile("" : "+r"(nr));
	if (nr > USTACK_STACK_FRAMES)
		return;
	c->time = bpf_ktime_get_ns();
	bpf_probe_read_kernel(&c->sp, sizeof(c->sp), &regs->sp);
	c->tid = task->pid;
	c->tgid = task->tgid;
	c->why = w->stack.why;
	c->nr = nr;
	c->guessed = w->stack.guessed;
	bpf_probe_read_kernel(c->pc, 8 * nr, w->stack.pc);
	if (bpf_ringbuf_output(&chains, c, 8 * (CHAIN_HEAD + nr), 0))
		__sync_fetch_and_add(&lost, 1);
}

SEC("perf_event")
int walk_sample(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 zero = 0;
	struct work *w = bpf_map_lookup_elem(&works, &zero);
	int nr;

	if (!w)
		return 1;
	nr = ustack_get_stack(&w->stack);
	__sync_fetch_and_add(nr > 0 ? &walked : nr == -ENOENT ? &orphaned : &refused, 1);
	if (nr > 0)
		put(w, task);
	return 1;
}
