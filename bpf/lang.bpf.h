/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames of the language that the current thread's process runs. They are found by the data
 * that user space has published about the process, read, and interned like other stacks.
 * Context: see lang_cpython.bpf.h.
 */
#ifndef USTACK_BPF_LANG_BPF_H
#define USTACK_BPF_LANG_BPF_H

#include "count.bpf.h"
#include "lang_beam.bpf.h"
#include "lang_cpython.bpf.h"
#include "lang_perl.bpf.h"
#include "lang_php.bpf.h"
#include "lang_ruby.bpf.h"

/* Frames of threads that do not run, by tid. Only the program at sched_switch uses it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct lang_wait);
} lang_waits SEC(".maps");

static __always_inline void lang_ask(struct lang_walk *l, const struct task_struct *task)
{
	lang_wish_of(&l->wish, task, l->epoch);
	l->wish.nr = 0;
	bpf_ringbuf_output(&lang_wishes, &l->wish, sizeof(l->wish), 0);
}

static __always_inline enum wire_fate lang_ended(const struct lang_walk *l)
{
	switch (l->fate) {
	case LANG_CUT:
		return WIRE_LANG_CUT;
	case LANG_FAULTED:
		return WIRE_LANG_FAULTED;
	case LANG_TORN:
		return WIRE_LANG_TORN;
	case LANG_COMPILED:
		return WIRE_LANG_COMPILED;
	}
	return WIRE_LANG_READ;
}

/* Return: whether the thread has a state of its process's runtime; @l has its frames. */
static __always_inline bool lang_chain_read(struct lang_walk *l, const struct lang_proc *p)
{
	switch (p->kind) {
	case LANG_CPYTHON:
		return lang_cpython_read(l, p);
	case LANG_PHP:
		return lang_php_read(l, p);
	case LANG_RUBY:
		return lang_ruby_read(l, p);
	case LANG_PERL:
		return lang_perl_read(l, p);
#if defined(__TARGET_ARCH_x86)
	case LANG_BEAM:
		return lang_beam_read(l, p);
#endif
	}
	return false;
}

/*
 * Reads the current thread's chain of frames into @l->to; the caller has set @max and @epoch.
 * It is a separate function, so that the verifier checks it once, and so that it does not share
 * its stack with the native walk.
 *
 * Return: the fate to count, or WIRE_NR_FATES if there is none.
 */
__attribute__((__noinline__)) int lang_read(struct lang_walk *l)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	const struct lang_proc *p;
	__u64 start, number;
	__u32 tgid;

	if (!l)
		return WIRE_NR_FATES;
	l->nr = l->entries = l->recovered = 0;
	l->fate = LANG_WHOLE;
	if (!task->mm || (task->flags & PF_KTHREAD))
		return WIRE_NR_FATES;
	tgid = task->tgid;
	start = task->group_leader->start_boottime;
	p = bpf_map_lookup_elem(&lang_procs, &tgid);
	if (!p || p->start != start || p->exec_id != task->self_exec_id) {
		lang_ask(l, task);
		return WIRE_LANG_NOT_YET;
	}
	if (p->again ? bpf_ktime_get_ns() >= p->again :
		       p->kind == LANG_NONE && p->epoch != l->epoch)
		lang_ask(l, task);
	if (p->kind == LANG_NONE)
		return p->again ? WIRE_LANG_NOT_YET : WIRE_NR_FATES;
	number = p->number;
	l->thread = LANG_THREAD_POINTER(task);
	if (!lang_chain_read(l, p))
		return WIRE_LANG_NO_STATE;
	/* the memory of a description that is replaced may become that of another one */
	if (*(volatile __u64 *)&p->number != number || *(volatile __u64 *)&p->start != start) {
		l->nr = 0;
		return WIRE_LANG_TORN;
	}
	if (!l->nr && l->fate == LANG_WHOLE)
		return WIRE_NR_FATES;
	lang_put(l, (__u64)LANG_HEAD << LANG_KIND_SHIFT | (__u64)l->fate << LANG_FLAGS_SHIFT |
			    (task->self_exec_id & LANG_POINTER), start);
	return lang_ended(l);
}

/*
 * @slots: number of slots that the frames may take. Return: number of slots that they take in
 *         @s->lang.to.
 */
static __always_inline __u32 lang_take(struct scratch *s, __u64 epoch, __u32 slots)
{
	struct wire_tally *t;
	__u32 fate;

	if (!languages)
		return 0;
	s->lang.max = slots - 2;
	s->lang.epoch = epoch;
	s->lang.made = s->user.made;
	fate = lang_read(&s->lang);
	t = tally_of(s->level);
	if (t)
		tally_add(t, fate);
	return s->lang.nr;
}

/* Sends a new chunk to user space; @s->lang_of says which process it belongs to. */
static __always_inline void lang_tell(struct scratch *s)
{
	s->lang_of.nr = s->chunk.link >> WIRE_LINK_SHIFT;
	__builtin_memcpy(s->lang_of.word, s->chunk.pc, sizeof(s->lang_of.word));
	bpf_ringbuf_output(&lang_wishes, &s->lang_of, sizeof(s->lang_of), 0);
}

/* @room: number of slots of the stack, a constant */
static __always_inline long next_and_tell(__u32 i, struct interning *n, __u32 room)
{
	__u64 before = n->s->number;
	long stop = next_chunk(i, n, room);

	if (n->s->number != before)
		lang_tell(n->s);
	return stop;
}

static long next_of_lang(__u32 i, struct interning *n)
{
	return next_and_tell(i, n, LANG_SLOTS);
}

static long next_of_lang_wait(__u32 i, struct interning *n)
{
	return next_and_tell(i, n, LANG_WAIT_SLOTS);
}

/*
 * Puts the process of @stack into @s->lang_of: the last pair of its @slots names it. @room:
 * number of slots in the array, a constant.
 */
static __always_inline void lang_head(struct scratch *s, const __u64 *stack, __u32 room,
				      __u32 slots)
{
	__u64 first = slots - 2, second = slots - 1;

	asm volatile("%0 &= %1" : "+r"(first) : "i"(room - 1));
	asm volatile("%0 &= %1" : "+r"(second) : "i"(room - 1));
	s->lang_of.tgid = s->key.tgid;
	s->lang_of.exec_id = stack[WIRE_CHUNK_FRAMES + first] & LANG_POINTER;
	s->lang_of.start = stack[WIRE_CHUNK_FRAMES + second];
}

/*
 * @room: number of slots of @stack, LANG_SLOTS or LANG_WAIT_SLOTS. Return: the stack's id; see
 *        stack_id().
 */
static __always_inline __u64 lang_id(const struct window *w, struct scratch *s, const __u64 *stack,
				     __u32 room, __u32 slots, enum wire_fate *fate)
{
	struct interning n = { .w = w, .s = s, .recent = &s->lang_recent, .stack = stack,
			       .left = slots, .fate = WIRE_COUNTED };

	if (!slots)
		return 0;
	recent_check(&s->lang_recent, w);
	lang_head(s, stack, room, slots);
	if (room == LANG_SLOTS)
		bpf_loop(LANG_SLOTS / WIRE_CHUNK_FRAMES, next_of_lang, &n, 0);
	else
		bpf_loop(LANG_WAIT_SLOTS / WIRE_CHUNK_FRAMES, next_of_lang_wait, &n, 0);
	*fate = n.fate;
	return n.id;
}

/*
 * Return: the id of the frames that thread @tid had when it stopped running; it is about to run
 * again.
 */
static __always_inline __u64 lang_wait_id(const struct window *w, struct scratch *s, __u32 tid,
					  __u32 slots, enum wire_fate *fate)
{
	const struct lang_wait *wait = slots ? bpf_map_lookup_elem(&lang_waits, &tid) : NULL;

	return wait ? lang_id(w, s, wait->stack.zero, LANG_WAIT_SLOTS, slots, fate) : 0;
}

/* Keeps the current thread's frames until it runs again. Return: number of their slots. */
static __always_inline __u32 lang_wait_begin(struct scratch *s, __u64 epoch, __u32 tid)
{
	__u32 slots = lang_take(s, epoch, LANG_WAIT_SLOTS);

	if (!slots || slots > LANG_WAIT_SLOTS)
		return 0;
	/* zeros, frames and head: @s->lang.to begins like a struct lang_wait */
	return bpf_map_update_elem(&lang_waits, &tid, &s->lang.to, BPF_ANY) ? 0 : slots;
}

#endif /* USTACK_BPF_LANG_BPF_H */
