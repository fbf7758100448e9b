/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the kernel keeps current's uretprobes; see uretprobe.h for writers. */
#ifndef USTACK_UTASK_H
#define USTACK_UTASK_H

#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "compat.h"

/**
 * ustack_return_instances() - the newest pending uretprobe of current
 *
 * Context: NMI-safe.
 * Return: the instance, to be read only by copy_from_kernel_nofault(); NULL if
 * there is none.
 */
static __always_inline const struct return_instance *
ustack_return_instances(void)
{
	struct uprobe_task *utask = READ_ONCE(current->utask);
	const struct return_instance *ri;

	if (likely(!utask) ||
	    copy_from_kernel_nofault(&ri, &utask->return_instances, sizeof(ri)))
		return NULL;
	return ri;
}

/**
 * ustack_xol_area() - the record of current's [uprobes] page
 *
 * Its type is private to kernel/events/uprobes.c: a wait queue, then words.
 *
 * Context: NMI-safe; the record lives as long as current has its mm.
 * Return: the words; NULL if there is no such page.
 */
static inline const unsigned long *ustack_xol_area(void)
{
	const void *area;

	if (!current->mm)
		return NULL;
	area = READ_ONCE(current->mm->uprobes_state.xol_area);
	return area ? area + sizeof(wait_queue_head_t) : NULL;
}

#endif /* USTACK_UTASK_H */
