/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From addresses to a count: a stack becomes an id, chunk by chunk, and the sample is added to
 * the count of its key.
 *
 * Context: any. A program owns the scratch memory that it has claimed, even if another program
 * interrupts or preempts it: it is one of WIRE_LEVELS pieces of its CPU, taken and given back
 * with one exchange. All other shared data is in maps, which are changed by atomic operations.
 */
#ifndef USTACK_BPF_COUNT_H
#define USTACK_BPF_COUNT_H

#include <linux/errno.h>

#include "lang_walk.bpf.h"
#include "level.bpf.h"
#include "maps.bpf.h"
#include "unwind.bpf.h"

/*
 * The chunks of the previous stack, outermost first. Stacks of one thread mostly have the same
 * callers, and comparing a chunk takes a tenth of the time of a lookup. Ids are never used
 * again: so the chunks that are remembered after one that differs cannot match.
 */
struct recent {
	__u64 generation;
	struct {
		struct wire_chunk chunk;
		__u64 id;
	} at[WIRE_RECENT];
};

/*
 * @busy: a program owns it, see level.bpf.h
 * @number: counter of the chunks that this CPU made at this level
 * @regs: the user's registers, if the stack is walked by tables
 * @user: the user stack; @user.to holds it whoever has walked it
 * @lang: frames of the process's language
 * @lang_of: the process that new chunks of @lang belong to
 */
struct scratch {
	__u32 busy;
	__u32 level;
	__u64 number;
	struct wire_key key;
	struct wire_chunk chunk;
	struct recent user_recent;
	struct recent kernel_recent;
	struct recent lang_recent;
	struct user_regs regs;
	struct unwind user;
	struct lang_walk lang;
	struct lang_wish lang_of;
	WIRE_STACK(WIRE_FRAMES) kernel;
	struct wire_wait wait;
};

_Static_assert(sizeof(struct scratch) < 28672, "struct scratch");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WIRE_LEVELS);
	__type(key, __u32);
	__type(value, struct scratch);
} scratches SEC(".maps");

/* The maps of one window. A program uses the same ones from its start to its end. */
struct window {
	void *chunks;
	void *counts;
	__u64 generation;
};

static __always_inline struct scratch *claim(void)
{
	__u32 level;
	struct scratch *s = level_claim(&scratches, &level);

	if (!s) {
		tally_shared(WIRE_NESTED);
		return NULL;
	}
	s->level = level;
	s->user.made.pc = 0;
	return s;
}

static __always_inline void release(struct scratch *s)
{
	level_release(s);
}

/*
 * The generation is read once, so that a window's stacks and counts belong together. User space
 * changes it, and touches the previous maps only after every program that may have read the old
 * generation has ended (user/capture/sampler/window.c says how it knows).
 */
static __always_inline bool window_get(struct window *w)
{
	__u32 pair;

	w->generation = *(volatile __u64 *)&generation;
	pair = w->generation & 1;
	w->chunks = bpf_map_lookup_elem(&chunk_maps, &pair);
	w->counts = bpf_map_lookup_elem(&count_maps, &pair);
	return w->chunks && w->counts;
}

/* Counts one more element, and wakes user space when it is time to drain the maps. */
static __always_inline void filled(__u64 *fills, __u64 half, __u64 step)
{
	__u64 now = __sync_fetch_and_add(fills, 1);
	__u8 byte = 0;

	if (now >= half && !(now & (step - 1)))
		bpf_ringbuf_output(&wakeups, &byte, sizeof(byte), BPF_RB_FORCE_WAKEUP);
}

/*
 * Return: why a map did not take an element. @err must be an int wherever it is kept: until 6.4
 * the functions of a map return an int, and the upper half of the register that the helper
 * passes to the program is not its sign (d7ba4cc900bf).
 */
static __always_inline enum wire_fate refusal(int err, enum wire_fate full)
{
	return err == -E2BIG || err == -ENOMEM ? full : WIRE_BUSY;
}

/*
 * Return: the id of @s's chunk, which another CPU may make at the same time; or 0, with *@fate
 * set.
 */
static __always_inline __u64 chunk_id(const struct window *w, struct scratch *s,
				      enum wire_fate *fate)
{
	__u64 id, *old = bpf_map_lookup_elem(w->chunks, &s->chunk);
	int err;

	if (old)
		return *old;
	s->number++;
	id = ((__u64)(bpf_get_smp_processor_id() * WIRE_LEVELS + s->level) << WIRE_ID_SHIFT) +
	     s->number;
	err = bpf_map_update_elem(w->chunks, &s->chunk, &id, BPF_NOEXIST);
	if (!err) {
		filled(&fill[w->generation & 1].chunks, chunks_half, chunks_step);
		return id;
	}
	if (err == -EEXIST) {
		old = bpf_map_lookup_elem(w->chunks, &s->chunk);
		if (old)
			return *old;
	}
	*fate = refusal(err, WIRE_CHUNKS_FULL);
	return 0;
}

static __always_inline bool same_chunk(const struct wire_chunk *a, const struct wire_chunk *b)
{
	__u64 differ = a->link ^ b->link;
	__u32 i;

#pragma unroll
	for (i = 0; i < WIRE_CHUNK_FRAMES; i++)
		differ |= a->pc[i] ^ b->pc[i];
	return !differ;
}

/*
 * Takes the outermost chunk of @left frames; @stack is a WIRE_STACK of @room frames, a power of
 * two.
 */
static __always_inline void take_chunk(struct wire_chunk *c, __u64 caller, const __u64 *stack,
				       __u32 room, __u32 left)
{
	__u32 i, nr = left < WIRE_CHUNK_FRAMES ? left : WIRE_CHUNK_FRAMES;

	/* the verifier must see this; the compiler would leave it out */
	asm volatile("%0 &= %1" : "+r"(left) : "i"(2 * room - 1));
	if (left > room)
		return;
	c->link = caller | (__u64)nr << WIRE_LINK_SHIFT;
#pragma unroll
	for (i = 0; i < WIRE_CHUNK_FRAMES; i++)
		c->pc[i] = stack[left + WIRE_CHUNK_FRAMES - 1 - i];
}

/*
 * State of making the id of a stack.
 *
 * @stack: a WIRE_STACK
 * @left: number of frames that have no chunk yet; they are the innermost ones
 * @id: id of the chunk before; in the end, id of the stack
 * @fate: WIRE_COUNTED, or why there is no id
 */
struct interning {
	const struct window *w;
	struct scratch *s;
	struct recent *recent;
	const __u64 *stack;
	__u64 id;
	__u32 left;
	enum wire_fate fate;
};

/* Makes the next chunk. Return: 1 to stop. */
static __always_inline long next_chunk(__u32 i, struct interning *n, __u32 room)
{
	struct scratch *s = n->s;
	struct recent *r = n->recent;
	__u32 left = n->left;

	if (!left || left > room)
		return 1;
	take_chunk(&s->chunk, n->id, n->stack, room, left);
	n->left = left > WIRE_CHUNK_FRAMES ? left - WIRE_CHUNK_FRAMES : 0;
	if (i < WIRE_RECENT && same_chunk(&s->chunk, &r->at[i].chunk)) {
		n->id = r->at[i].id;
		return 0;
	}
	n->id = chunk_id(n->w, s, &n->fate);
	if (!n->id)
		return 1;
	if (i < WIRE_RECENT) {
		r->at[i].chunk = s->chunk;
		r->at[i].id = n->id;
	}
	return 0;
}

/*
 * There is one callback for each size of WIRE_STACK: the verifier checks a callback once, but
 * would follow a loop through every turn, which takes Linux 6.1 several seconds, or never ends.
 */
static long next_of_scratch(__u32 i, struct interning *n)
{
	return next_chunk(i, n, WIRE_FRAMES);
}

static long next_of_wait_user(__u32 i, struct interning *n)
{
	return next_chunk(i, n, WIRE_WAIT_USER);
}

static long next_of_wait_kernel(__u32 i, struct interning *n)
{
	return next_chunk(i, n, WIRE_WAIT_KERNEL);
}

/* Forgets the chunks of another window than @w: their ids are not in @w's maps. */
static __always_inline void recent_check(struct recent *r, const struct window *w)
{
	if (r->generation == w->generation)
		return;
	r->generation = w->generation;
	r->at[0].chunk.link = 0;
}

/* Return: the stack's id; 0 if there are no frames, or if *@fate says why it has no id. */
static __always_inline __u64 stack_id(const struct window *w, struct scratch *s,
				      struct recent *r, const __u64 *stack, __u32 room,
				      __u32 frames, enum wire_fate *fate)
{
	struct interning n = { .w = w, .s = s, .recent = r, .stack = stack, .left = frames,
			       .fate = WIRE_COUNTED };

	recent_check(r, w);
	if (room == WIRE_FRAMES)
		bpf_loop(WIRE_CHUNKS, next_of_scratch, &n, 0);
	else if (room == WIRE_WAIT_USER)
		bpf_loop(WIRE_WAIT_USER / WIRE_CHUNK_FRAMES, next_of_wait_user, &n, 0);
	else
		bpf_loop(WIRE_WAIT_KERNEL / WIRE_CHUNK_FRAMES, next_of_wait_kernel, &n, 0);
	*fate = n.fate;
	return n.id;
}

/* Adds a sample to the count of @s's key. */
static __always_inline enum wire_fate add_count(const struct window *w, struct scratch *s,
						__u64 weight)
{
	struct wire_value new = { .count = 1, .sum = weight };
	struct wire_value *v;
	int err;

	v = bpf_map_lookup_elem(w->counts, &s->key);
	if (!v) {
		err = bpf_map_update_elem(w->counts, &s->key, &new, BPF_NOEXIST);
		if (!err) {
			filled(&fill[w->generation & 1].counts, counts_half, counts_step);
			return WIRE_COUNTED;
		}
		if (err == -EEXIST)
			v = bpf_map_lookup_elem(w->counts, &s->key);
		if (!v)
			return refusal(err, WIRE_COUNTS_FULL);
	}
	__sync_fetch_and_add(&v->count, 1);
	__sync_fetch_and_add(&v->sum, weight);
	return WIRE_COUNTED;
}

#endif /* USTACK_BPF_COUNT_H */
