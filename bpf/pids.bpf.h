/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes that are chosen, and their children. */
#ifndef USTACK_BPF_PIDS_H
#define USTACK_BPF_PIDS_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "kernel.bpf.h"

/*
 * The key is the tgid; the value is the process's start_boottime, or 0 if user space put it
 * here. User space sets the size. Only tasks write here, never an interrupt.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} pids SEC(".maps");

/* Called at sched_process_fork. Return: false if there was no room for the child. */
static __always_inline bool pids_fork(const struct task_struct *parent,
				      const struct task_struct *child)
{
	__u32 parent_tgid = parent->tgid, tgid = child->tgid;
	__u64 start = child->start_boottime;

	return child->pid != child->tgid || !bpf_map_lookup_elem(&pids, &parent_tgid) ||
	       !bpf_map_update_elem(&pids, &tgid, &start, BPF_ANY);
}

/*
 * Called at sched_process_free: @task is the last of its process, which has ended. Another
 * process may have its number by now; the entry of that process stays, as it has another start.
 */
static __always_inline void pids_free(const struct task_struct *task)
{
	__u32 tgid = task->tgid;
	const __u64 *start;

	if (task->pid != task->tgid)
		return;
	start = bpf_map_lookup_elem(&pids, &tgid);
	if (start && (!*start || *start == task->start_boottime))
		bpf_map_delete_elem(&pids, &tgid);
}

#endif /* USTACK_BPF_PIDS_H */
