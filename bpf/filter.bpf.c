// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters perf's own samples by process. The events count on CPUs; samples are dropped before
 * anything is copied, unless the process or the thread is chosen. Children of chosen processes
 * are chosen, too.
 *
 * Inherited events of perf cannot do that: each child begins a new period, so a process that
 * ends before its first period gets none of its samples.
 */
#include "kernel.bpf.h"
#include "pids.bpf.h"

#include <bpf/bpf_tracing.h>

char filter_license[] SEC("license") = "GPL";

/* Threads that are chosen. User space sets the size and fills it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} tids SEC(".maps");

__u64 children_lost;	/* children for which the map had no room */

/* Return: 0 to drop the sample, see bpf_overflow_handler(). */
SEC("perf_event")
int on_sample(struct bpf_perf_event_data *ctx)
{
	__u64 ids = bpf_get_current_pid_tgid();
	__u32 tgid = ids >> 32, tid = ids;

	return bpf_map_lookup_elem(&pids, &tgid) || bpf_map_lookup_elem(&tids, &tid);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	if (!pids_fork(parent, child))
		__sync_fetch_and_add(&children_lost, 1);
	return 0;
}

SEC("tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *task)
{
	pids_free(task);
	return 0;
}
