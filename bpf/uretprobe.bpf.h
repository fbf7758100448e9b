/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Callers that uretprobes hide. A uretprobe replaces the return address of the probed function
 * by that of a trampoline in the process, and the kernel keeps the true one in a list of the
 * task. The entry is found by its place on the stack, as kmod/uretprobe.c finds it:
 * Documentation/decisions/0005-uretprobes.md.
 *
 * Any context. The list is the current task's own, so that nothing but this task's probes
 * changes it; an entry that a probe's handler sees may have been freed. All is read by
 * bpf_probe_read_kernel(), and what is read is used only if it has the place that was asked for
 * and an address that may be a user's. Loops: UNWIND_URETPROBES entries, for at most
 * UNWIND_URETPROBE_LOOKUPS frames of a walk.
 */
#ifndef USTACK_BPF_URETPROBE_H
#define USTACK_BPF_URETPROBE_H

#include <bpf/bpf_core_read.h>

#include "kernel.bpf.h"

/* Uretprobes that a task can have pending: the kernel's MAX_URETPROBE_DEPTH. */
#define UNWIND_URETPROBES 64u

/* Where returns go that are probed in this process; 0: none is. */
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
 * The caller of the function that was entered when SP was @place; 0: no probe is pending for it. Of
 * several the newest: probes of one function, or of functions that jump to each other, have
 * one caller, and what longjmp() has left there is older.
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
