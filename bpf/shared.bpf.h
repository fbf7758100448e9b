/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps that sampler.bpf.c and tasks.bpf.c share. */
#ifndef USTACK_BPF_SHARED_H
#define USTACK_BPF_SHARED_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "wire.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WIRE_LEVELS);
	__type(key, __u32);
	__type(value, struct wire_tally);
} tallies SEC(".maps");

/*
 * Processes whose mappings changed; the key is the tgid. Not preallocated: only tasks write
 * here, never an interrupt, and few machines need a part of it. WIRE_PROC_NONE is there from
 * the start.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_proc);
} procs SEC(".maps");

static __always_inline struct wire_tally *tally_of(__u32 level)
{
	return bpf_map_lookup_elem(&tallies, &level);
}

static __always_inline void tally_add(struct wire_tally *t, enum wire_fate fate)
{
	/* always true, but the verifier cannot know it of a value that went through memory */
	if ((__u32)fate < WIRE_NR_FATES)
		t->fate[fate]++;
}

/* Counts for a program that has no level: others may count here at the same time. */
static __always_inline void tally_shared(enum wire_fate fate)
{
	struct wire_tally *t = tally_of(0);

	if (t)
		__sync_fetch_and_add(&t->fate[fate], 1);
}

#endif /* USTACK_BPF_SHARED_H */
