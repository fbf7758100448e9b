/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters samples, and fills the parts of the key that are not stacks. */
#ifndef USTACK_BPF_WHO_H
#define USTACK_BPF_WHO_H

#include "kernel.bpf.h"
#include "maps.bpf.h"
#include "pids.bpf.h"

static __always_inline bool pass_ids(__u32 tgid, __u32 tid)
{
	return !filter_ids || bpf_map_lookup_elem(&pids, &tgid) ||
	       bpf_map_lookup_elem(&tids, &tid);
}

static __always_inline bool pass_cpu(void)
{
	__u32 cpu;

	if (!filter_cpus)
		return true;
	cpu = bpf_get_smp_processor_id();
	return cpu < WIRE_CPUS && (cpu_mask[cpu / 64 & (WIRE_CPUS / 64 - 1)] >> (cpu & 63) & 1);
}

static __always_inline bool pass_comm(const char comm[WIRE_COMM])
{
	const __u64 *words = (const __u64 *)comm;

	return !filter_comm || (((words[0] & comm_mask[0]) == comm_value[0]) &&
				((words[1] & comm_mask[1]) == comm_value[1]));
}

static __always_inline bool pass_cgroup(void)
{
	return !filter_cgroup || bpf_current_task_under_cgroup(&cgroups, 0) == 1;
}

static __always_inline __u64 epoch_of(__u32 tgid)
{
	const struct wire_proc *proc = bpf_map_lookup_elem(&procs, &tgid);
	__u32 none = WIRE_PROC_NONE;

	if (!proc)
		proc = bpf_map_lookup_elem(&procs, &none);
	return proc ? proc->epoch : WIRE_NO_EPOCH;
}

/*
 * Fills @key for the current thread.
 *
 * Return: whether it passes the filters; if not, @key may be half filled.
 */
static __always_inline bool who(struct wire_key *key, const struct task_struct *task,
				__u32 event)
{
	__u64 ids = bpf_get_current_pid_tgid();
	__u32 tgid = ids >> 32, tid = ids;

	if (!pass_cpu() || !pass_ids(tgid, tid) || !pass_cgroup())
		return false;
	if (user_threads && (task->flags & PF_KTHREAD))
		return false;
	/* Linux 6.1 does not clear the bytes after the NUL */
	__builtin_memset(key->comm, 0, sizeof(key->comm));
	bpf_get_current_comm(key->comm, sizeof(key->comm));
	if (!pass_comm(key->comm))
		return false;
	key->tgid = tgid;
	key->tid = by_thread ? tid : 0;
	key->epoch = epoch_of(tgid);
	key->cgroup = bpf_get_current_cgroup_id();
	key->time = 0;
	key->event = event;
	key->flags = 0;
	key->pad = 0;
	return true;
}

/*
 * Makes the sample's time a part of its key, so that it has a count of its own. This needs nothing
 * more than the key of a new stack: an element that the map has allocated beforehand. When none is
 * left, the sample is lost and counted as such (WIRE_COUNTS_FULL). The clock is the kernel's clock
 * for NMIs, which never waits.
 * @now: the time, if the caller has read it; 0 reads it here
 */
static __always_inline void set_time(struct wire_key *key, __u64 now)
{
	if (timestamps)
		key->time = now ? now : bpf_ktime_get_ns();
}

#endif /* USTACK_BPF_WHO_H */
