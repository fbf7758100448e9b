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

/* What there is no room for is asked for again, by the next sample or mapping. Any context. */
static __always_inline void wish_send(const struct tables_wish *wish)
{
	bpf_ringbuf_output(&ustack_wishes, (void *)wish, sizeof(*wish), 0);
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

/* The window number @i; the verifier sees that it is one. */
static __always_inline struct tables_window *space_window(struct tables_space *space, __u64 i)
{
	asm volatile("%0 &= %1" : "+r"(i) : "i"(TABLES_WINDOWS - 1));
	return &space->window[i];
}

#endif /* USTACK_BPF_SPACES_H */
