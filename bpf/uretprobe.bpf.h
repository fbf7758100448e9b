/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds callers that uretprobes hide. A uretprobe replaces the return address of the probed
 * function by the address of a trampoline in the process, and the kernel keeps the true one in
 * a list of the task. The entry is found by its place on the stack, like in kmod/uretprobe.c:
 * Documentation/decisions/0005-uretprobes.md.
 *
 * Context: any. The list is the current task's own, so only this task's probes change it; an
 * entry may have been freed if a probe's handler sees it. Everything is read by
 * bpf_probe_read_kernel(), and an entry is used only if it has the right place and an address
 * that may be a user's. Loops: UNWIND_URETPROBES entries, for at most UNWIND_URETPROBE_LOOKUPS
 * frames of a walk.
 */
#ifndef USTACK_BPF_URETPROBE_H
#define USTACK_BPF_URETPROBE_H

#include <bpf/bpf_core_read.h>

#include "kernel.bpf.h"

/* Largest number of uretprobes that a task can have pending: the kernel's MAX_URETPROBE_DEPTH. */
#define UNWIND_URETPROBES 64u

/*
 * Return: address of the trampoline to which probed functions return in this process; 0 if
 * there is none.
 */
static __always_inline __u64 uretprobe_trampoline(const struct task_struct *task)
{
	const struct xol_area *area;

	if (!bpf_core_field_exists(struct mm_struct, uprobes_state) ||
	    !bpf_core_field_exists(struct xol_area, vaddr) ||
	    !bpf_core_field_exists(struct task_struct, utask))
		return 0;
	area = BPF_CORE_READ(task, mm, uprobes_state.xol_area);
	return area ? BPF_CORE_READ(area, vaddr) : 0;
}

/*
 * Return: the caller of the function that was entered when SP was @place; 0 if no probe is
 * pending for it. If there are several, the newest one counts: probes of one function, or of
 * functions that jump to each other, have one caller; entries that longjmp() has left there are
 * older.
 */
static __always_inline __u64 uretprobe_caller(const struct task_struct *task, __u64 place)
{
	const struct return_instance *at = BPF_CORE_READ(task, utask, return_instances);
	__u32 i;

	for (i = 0; at && i < UNWIND_URETPROBES; i++) {
		if (BPF_CORE_READ(at, stack) == place)
			return BPF_CORE_READ(at, orig_ret_vaddr);
		at = BPF_CORE_READ(at, next);
	}
	return 0;
}

#endif /* USTACK_BPF_URETPROBE_H */
