/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps of all objects: programs of tasks.bpf.c write spaces, those of sampler.bpf.c and who links
 * ustack_stack.bpf.c read them. Their names begin with ustack_, as others link them.
 */
#ifndef USTACK_BPF_SPACES_H
#define USTACK_BPF_SPACES_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "tables.h"

/* ustack_stack.bpf.c defines these: its maps are found by the names that they are pinned by. */
#ifndef USTACK_PINNING
#define USTACK_PINNING
#define USTACK_SPACES 1		/* user space sets it */
#endif

/* By tgid. */
struct {
	USTACK_PINNING
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, USTACK_SPACES);
	__type(key, __u32);
	__type(value, struct tables_space);
} ustack_spaces SEC(".maps");

/* Windows of spaces that have too many, by @id of the space; user space makes them. */
struct {
	USTACK_PINNING
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, TABLES_FULL_SPACES);
	__type(key, __u64);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_ARRAY);
		__uint(map_flags, BPF_F_MMAPABLE);
		__uint(max_entries, 1);
		__uint(key_size, sizeof(__u32));
		__uint(value_size, TABLES_WIDE_BYTES(TABLES_WIDE_WINDOWS));
	});
} ustack_wides SEC(".maps");

/* The same of those that have too many for these. */
struct {
	USTACK_PINNING
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, TABLES_HUGES);
	__type(key, __u64);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_ARRAY);
		__uint(map_flags, BPF_F_MMAPABLE);
		__uint(max_entries, 1);
		__uint(key_size, sizeof(__u32));
		__uint(value_size, TABLES_WIDE_BYTES(TABLES_HUGE_WINDOWS));
	});
} ustack_huges SEC(".maps");

struct {
	USTACK_PINNING
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TABLES_IMAGES);
	__type(key, __u32);
	__type(value, struct tables_image);
} ustack_images SEC(".maps");

struct {
	USTACK_PINNING
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} ustack_wishes SEC(".maps");

struct {
	USTACK_PINNING
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, TABLES_BINS);
	__type(key, __u32);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_ARRAY);
		__uint(map_flags, BPF_F_MMAPABLE);
		__uint(max_entries, 1);
		__uint(key_size, sizeof(__u32));
		__uint(value_size, TABLES_BIN_VALUE);
	});
} ustack_bins SEC(".maps");

/*
 * Sends a wish to user space. If the ring is full, the next sample or mapping sends it again. Any
 * context.
 *
 * Return: whether there was room.
 */
static __always_inline bool wish_send(const struct tables_wish *wish)
{
	return !bpf_ringbuf_output(&ustack_wishes, (void *)wish, sizeof(*wish), 0);
}

/*
 * Asks for room for more windows. Where the wish had no room itself, the next change of mappings
 * or the next sample asks again.
 */
static __always_inline void space_ask(struct tables_space *space, const struct tables_wish *wish)
{
	if ((space->flags & (TABLES_FULL | TABLES_ASKED)) == TABLES_FULL && wish_send(wish))
		__sync_fetch_and_or(&space->flags, TABLES_ASKED);
}

/* The process's windows, which may be another's that has the same memory. */
static __always_inline struct tables_space *space_of(__u32 tgid)
{
	struct tables_space *space = bpf_map_lookup_elem(&ustack_spaces, &tgid);
	__u32 other;

	if (!space || !space->same_as)
		return space;
	other = space->same_as;
	return bpf_map_lookup_elem(&ustack_spaces, &other);
}

/*
 * The answer to the space with this id, which is full; NULL if there is none yet. The id is in the
 * space where that is a map's value, else on the stack: 6.1 takes no other memory for a key.
 */
static __always_inline struct tables_wide *answer_in(void *maps, const __u64 *id)
{
	void *map = bpf_map_lookup_elem(maps, id);
	__u32 zero = 0;

	return map ? bpf_map_lookup_elem(map, &zero) : NULL;
}

static __always_inline struct tables_wide *wide_answer(const __u64 *id)
{
	return answer_in(&ustack_wides, id);
}

/* The wide windows of a space, which may be filled just now; NULL: it has none. */
static __always_inline struct tables_wide *wide_of(const struct tables_space *space, const __u64 *id)
{
	struct tables_wide *wide;

	if (!(space->flags & TABLES_FULL))
		return NULL;
	wide = wide_answer(id);
	return wide && wide->state != TABLES_WIDE_REFUSED ? wide : NULL;
}

/* The windows of a space that is TABLES_HUGE, as long as there is memory for it. */
static __always_inline struct tables_wide *huge_of(const struct tables_space *space, const __u64 *id)
{
	return space->flags & TABLES_HUGE ? answer_in(&ustack_huges, id) : NULL;
}

/* Whether wide windows have all of the mappings that they have room for. */
static __always_inline bool wide_is_filled(const struct tables_wide *wide)
{
	__u64 state = *(volatile __u64 *)&wide->state;

	return state == TABLES_WIDE_READY || state == TABLES_WIDE_LAST;
}

/* The window number @i; the verifier sees that it is one. */
static __always_inline struct tables_window *space_window(struct tables_space *space, __u64 i)
{
	asm volatile("%0 &= %1" : "+r"(i) : "i"(TABLES_WINDOWS - 1));
	return &space->window[i];
}

static __always_inline struct tables_window *wide_window(struct tables_wide *wide, __u64 i)
{
	asm volatile("%0 &= %1" : "+r"(i) : "i"(TABLES_WIDE_WINDOWS - 1));
	return &wide->window[i];
}

static __always_inline struct tables_window *huge_window(struct tables_wide *huge, __u64 i)
{
	asm volatile("%0 &= %1" : "+r"(i) : "i"(TABLES_HUGE_WINDOWS - 1));
	return &huge->window[i];
}

/*
 * The number of the last window that begins at @key or before it, 0 if there is none. @window
 * are ascending. A round for each bit of a number, without a branch: the verifier would follow both
 * sides of each. It does that, too, from 7.0 on, where a sign is used as a mask; so the sign is
 * shifted to where it is added. @key is below 2^63, and so are starts of windows that are not empty.
 *
 * @bits: constant; there may be 2^@bits windows
 */
#define WINDOW_SEARCH(window, bits, key) ({						\
	__u64 __at = 0;									\
	int __bit;									\
											\
	_Pragma("unroll")								\
	for (__bit = (bits) - 1; __bit >= 0; __bit--) {					\
		__u64 __to = __at + (1ull << __bit), __start;				\
											\
		asm volatile("%0 &= %1" : "+r"(__to) : "i"((1 << (bits)) - 1));		\
		__start = (window)[__to].start;						\
		__at += ((__start - (key) - 1) & ~__start) >> 63 << __bit;		\
	}										\
	__at;										\
})

static __always_inline __u64 space_search(const struct tables_space *space, __u64 key)
{
	return WINDOW_SEARCH(space->window, TABLES_WINDOW_BITS, key);
}

static __always_inline __u64 wide_search(const struct tables_wide *wide, __u64 key)
{
	return WINDOW_SEARCH(wide->window, TABLES_WIDE_BITS, key);
}

static __always_inline __u64 huge_search(const struct tables_wide *huge, __u64 key)
{
	return WINDOW_SEARCH(huge->window, TABLES_HUGE_BITS, key);
}

#endif /* USTACK_BPF_SPACES_H */
