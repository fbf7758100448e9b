/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring from the programs to the thread of user space that reads languages. */
#ifndef USTACK_BPF_LANG_WISHES_H
#define USTACK_BPF_LANG_WISHES_H

#include "lang_walk.bpf.h"

/* Asks user space to look at a process, and tells it frames that are new. An entry that finds no
 * room is not lost: the next sample of the process asks again, and frames are told when the window
 * is drained.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 18);
} lang_wishes SEC(".maps");

/* Writes whose @wish is. */
static __always_inline void lang_wish_of(struct lang_wish *wish, const struct task_struct *task,
					 __u64 epoch)
{
	const struct task_struct___lang *t = (void *)task;

	wish->tgid = task->tgid;
	wish->start = task->group_leader->start_boottime;
	wish->exec_id = t->self_exec_id;
	wish->epoch = epoch;
}

#endif /* USTACK_BPF_LANG_WISHES_H */
