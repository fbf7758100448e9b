/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring from the programs to the thread in user space that reads languages. */
#ifndef USTACK_BPF_LANG_WISHES_H
#define USTACK_BPF_LANG_WISHES_H

#include "lang_walk.bpf.h"

/*
 * Asks user space to look at a process, and sends it new frames. If the ring is full, nothing
 * is lost: the next sample of the process asks again, and frames are read when the window is
 * drained.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 18);
} lang_wishes SEC(".maps");

/* Writes into @wish which process it is about. */
static __always_inline void lang_wish_of(struct lang_wish *wish, const struct task_struct *task,
					 __u64 epoch)
{
	wish->tgid = task->tgid;
	wish->start = task->group_leader->start_boottime;
	wish->exec_id = task->self_exec_id;
	wish->epoch = epoch;
}

/*
 * Sends a function to user space. A closure is an object that lives for moments, and PHP's code
 * outside of functions is freed after it has run; but the data by which their names are found
 * live longer, so they are sent at once: @l->wish has them from word 2 on. Each function is
 * sent once for each process and CPU, as far as @told remembers. A separate function, which the
 * verifier checks once.
 */
__attribute__((__noinline__)) int lang_function_tell(struct lang_walk *l, __u64 func, __u64 cookie)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	__u64 sum, at;

	if (!l)
		return 0;
	sum = lang_mix(lang_mix(cookie, func), task->tgid);
	at = sum;
	asm volatile("%0 &= %1" : "+r"(at) : "i"(LANG_TOLD - 1));
	if (l->told[at] == sum)
		return 0;
	lang_wish_of(&l->wish, task, l->epoch);
	l->wish.nr = LANG_WISH_FUNCTION;
	l->wish.word[0] = func;
	l->wish.word[1] = cookie;
	if (!bpf_ringbuf_output(&lang_wishes, &l->wish, sizeof(l->wish), 0))
		l->told[at] = sum;
	return 0;
}

#endif /* USTACK_BPF_LANG_WISHES_H */
