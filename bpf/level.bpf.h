/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that a program owns while it runs. Programs on one CPU can preempt and interrupt one
 * another, up to NMI, so each CPU has WIRE_LEVELS pieces; a program takes a free one.
 *
 * Context: any. One exchange takes a piece, one gives it back. Nothing waits.
 */
#ifndef USTACK_BPF_LEVEL_H
#define USTACK_BPF_LEVEL_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "wire.h"

/*
 * @map: per-CPU array of WIRE_LEVELS values; each begins with a __u32 that is not 0 while a
 *       program owns it
 * @level: set to the number of the piece, if there is one
 *
 * Return: the piece, for level_release(); NULL if none is free.
 */
static __always_inline void *level_claim(void *map, __u32 *level)
{
	__u32 i;

#pragma unroll
	for (i = 0; i < WIRE_LEVELS; i++) {
		__u32 key = i;
		__u32 *busy = bpf_map_lookup_elem(map, &key);

		if (busy && !__sync_lock_test_and_set(busy, 1)) {
			*level = key;
			return busy;
		}
	}
	return NULL;
}

static __always_inline void level_release(void *piece)
{
	__sync_lock_test_and_set((__u32 *)piece, 0);
}

#endif /* USTACK_BPF_LEVEL_H */
