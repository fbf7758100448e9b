// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter by process for perf's own samples: events of CPUs, whose samples are dropped
 * before anything of them is copied, unless the process or the thread is chosen. Children of
 * chosen processes are, too.
 *
 * perf's inherited events cannot do that: each child begins a period of its own, so a process
 * that ends before its first period has none of the samples that it ought to have.
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

__u64 children_lost;	/* that the map had no room for */

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
