/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps that several objects share: programs of tasks.bpf.c write spaces; programs of
 * sampler.bpf.c, and others that link ustack_stack.bpf.c, read them. The names begin with
 * ustack_, as other people's programs link them.
 */
#ifndef USTACK_BPF_SPACES_H
#define USTACK_BPF_SPACES_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "tables.h"

/*
 * ustack_stack.bpf.c defines these, so that its maps are found by the names under which they
 * are pinned.
 */
#ifndef USTACK_PINNING
#define USTACK_PINNING
#define USTACK_SPACES 1		/* user space sets it */
#endif

/* Spaces; the key is the tgid. */
struct {
	USTACK_PINNING
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, USTACK_SPACES);
	__type(key, __u32);
	__type(value, struct tables_space);
} ustack_spaces SEC(".maps");

/*
 * Windows of spaces that have too many for themselves; the key is the space's @id. User space
 * makes them.
 */
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

/* The same for spaces that have too many for ustack_wides. */
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
 * Sends a wish to user space. If the ring is full, the next sample or mapping sends it again.
 * Context: any. Return: false if the ring was full.
 */
static __always_inline bool wish_send(const struct tables_wish *wish)
{
	return !bpf_ringbuf_output(&ustack_wishes, (void *)wish, sizeof(*wish), 0);
}

/*
 * Asks for room for more windows. If the ring is full, the next change of mappings or the next
 * sample asks again.
 */
static __always_inline void space_ask(struct tables_space *space, const struct tables_wish *wish)
{
	if ((space->flags & (TABLES_FULL | TABLES_ASKED)) == TABLES_FULL && wish_send(wish))
		__sync_fetch_and_or(&space->flags, TABLES_ASKED);
}

/*
 * Return: the space with the process's windows; it may be that of another process with the same
 * memory.
 */
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
 * Return: user space's answer to the full space with this id; NULL if there is none yet. The id
 * must be in the space, if that is a map's value, or on the stack: Linux 6.1 accepts no other
 * memory for a key.
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

/* Return: the wide windows of a space, which may still be filled; NULL if it has none. */
static __always_inline struct tables_wide *wide_of(const struct tables_space *space, const __u64 *id)
{
	struct tables_wide *wide;

	if (!(space->flags & TABLES_FULL))
		return NULL;
	wide = wide_answer(id);
	return wide && wide->state != TABLES_WIDE_REFUSED ? wide : NULL;
}

/* Return: the windows of a space that is TABLES_HUGE; NULL if there is no memory for them. */
static __always_inline struct tables_wide *huge_of(const struct tables_space *space, const __u64 *id)
{
	return space->flags & TABLES_HUGE ? answer_in(&ustack_huges, id) : NULL;
}

/* Return: whether the wide windows have all mappings for which they have room. */
static __always_inline bool wide_is_filled(const struct tables_wide *wide)
{
	__u64 state = *(volatile __u64 *)&wide->state;

	return state == TABLES_WIDE_READY || state == TABLES_WIDE_LAST;
}

/* Return: window number @i; the mask shows the verifier that it is in the array. */
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
 * The number of the last window that begins at or before @key, 0 if there is none. The windows
 * ascend. There is a round for each bit of the number, without a branch: the verifier would
 * follow both sides of each. From 7.0 on it does that, too, if a sign is used as a mask; so the
 * sign is shifted to the place where it is added. @key is below 2^63, and so are the starts of
 * windows that are not empty.
 *
 * @bits: a constant; there may be 2^@bits windows
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
