// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs bpf/unwind.bpf.h on states that the test makes up, in the memory of the test's own
 * process.
 */
#include "unwind.bpf.h"

#include "case.h"

char walk_license[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct walk_case);
} cases SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct tables_space);
} own_space SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind);
} walks SEC(".maps");

SEC("raw_tp")
int map_self(void *ctx)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	__u32 zero = 0, tgid = task->tgid;
	struct tables_space *space = bpf_map_lookup_elem(&own_space, &zero);

	if (!space)
		return -1;
	space->mm = (__u64)task->mm;
	space->start = task->group_leader->start_boottime;
	return (int)bpf_map_update_elem(&ustack_spaces, &tgid, space, BPF_ANY);
}

SEC("raw_tp")
int walk(void *ctx)
{
	__u32 zero = 0;
	struct walk_case *c = bpf_map_lookup_elem(&cases, &zero);
	struct unwind *u = bpf_map_lookup_elem(&walks, &zero);

	if (!c || !u)
		return -1;
	u->state = (struct ustack_state){
		.pc = c->pc, .sp = c->sp, .fp = c->fp, .lr = c->lr,
		.regs_in = USTACK_REGS_SAMPLE, .scratch_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
	bpf_probe_read_kernel(u->regs, sizeof(u->regs), c->regs);
	u->start_stack = c->start_stack;
	u->max = c->max;
	c->why = unwind_walk(u);
	c->nr = u->nr;
	bpf_probe_read_kernel(c->pcs, sizeof(c->pcs), u->to.pc);
	return 0;
}
