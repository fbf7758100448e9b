// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk by tables, as an object that other people's programs are linked with: see
 * ustack_stack.bpf.h. `ustack supply --bpf` has pinned its maps (user/supply/tables/pins.c);
 * they are found by name.
 *
 * All names that it defines begin with ustack_. It has no license section: the program has one.
 */
#define USTACK_PINNING __uint(pinning, LIBBPF_PIN_BY_NAME);
#define USTACK_SPACES TABLES_SPACES

#include "kernel.bpf.h"
#include "level.bpf.h"
#include "walk_tables.bpf.h"

#include <linux/errno.h>

#include "ustack_stack.bpf.h"

_Static_assert(USTACK_STACK_FRAMES == WIRE_FRAMES, "a walk fits");
_Static_assert(USTACK_STACK_COMPLETE == USTACK_COMPLETE, "reasons are the core's");

/* @busy: a program owns it, see level.bpf.h */
struct ustack_scratch {
	__u32 busy;
	struct user_regs regs;
	struct unwind unwind;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WIRE_LEVELS);
	__type(key, __u32);
	__type(value, struct ustack_scratch);
} ustack_scratches SEC(".maps");

/*
 * Has an entry while the supplier runs: the kernel removes it when the descriptor is closed by
 * which it was put in. That happens before the programs that keep spaces are detached.
 */
struct {
	USTACK_PINNING
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} ustack_alive SEC(".maps");

/*
 * Return: whether a supplier runs. The event's value is not used: it counts on one CPU, and
 * other CPUs cannot read it.
 */
static __always_inline bool is_supplied(void)
{
	return bpf_perf_event_read(&ustack_alive, 0) != (__u64)-ENOENT;
}

/* A separate function, so that the walk has all of the stack that the caller leaves. */
static __attribute__((__noinline__)) struct ustack_scratch *claim(void)
{
	__u32 level;

	return level_claim(&ustack_scratches, &level);
}

static __always_inline int walk(struct ustack_scratch *s, const struct task_struct *task,
				struct ustack_stack *to)
{
	__u32 nr;
	__u8 why;

	walk_task_regs(&s->regs, (struct task_struct *)task);
	nr = walk_by_tables(&s->unwind, &s->regs, task, WIRE_FRAMES, &why);
	/* if the supplier ended meanwhile, tables and windows may have been old */
	if (!is_supplied())
		return -ENOENT;
	if (!nr || nr > WIRE_FRAMES)
		return -ESRCH;
	to->nr = nr;
	to->why = why == WIRE_WHY_GUESSED ? USTACK_COMPLETE : why;
	to->guessed = s->unwind.mem.guessed;
	bpf_probe_read_kernel(to->pc, nr * sizeof(to->pc[0]), s->unwind.to.pc);
	return nr;
}

int ustack_get_stack(struct ustack_stack *to)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	struct ustack_scratch *s;
	int ret;

	if (!to)
		return -EINVAL;
	s = claim();
	if (!s)
		return -EBUSY;
	ret = walk(s, task, to);
	level_release(s);
	return ret;
}
