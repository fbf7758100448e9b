/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps of the sampler, and variables that user space sets. Sizes that depend on the machine and
 * on the events are set by user/capture/sampler/load.c before the programs are loaded; here
 * they are 1.
 */
#ifndef USTACK_BPF_MAPS_H
#define USTACK_BPF_MAPS_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "shared.bpf.h"

/* Set before the programs are loaded; a feature that is off costs nothing. */
const volatile __u32 user_frames = 127, kernel_frames = 127;
const volatile __u32 wait_user_frames = 127, wait_kernel_frames = 63;
const volatile bool by_thread, user_threads, blocked_only;
const volatile bool timestamps;	/* each time has its own count: set_time() of who.bpf.h */
const volatile bool languages;	/* frames of languages are read, too: lang.bpf.h */
const volatile bool filter_ids, filter_comm, filter_cgroup, filter_cpus;
const volatile __u64 comm_value[2], comm_mask[2];
const volatile __u64 cpu_mask[WIRE_CPUS / 64];
const volatile __u32 wait_event;
const volatile __u64 wait_min_ns;
/* from the fill _half on, user space is woken once in each step; steps are powers of two */
const volatile __u64 chunks_half, counts_half, chunks_step, counts_step;

/* Set at any time. */
__u64 generation;	/* number of the window; its lowest bit tells which pair of maps is used */
bool counting;		/* true between start and stop */
bool module_attached;	/* note_stop() is attached */
struct wire_fill fill[2];

/* A pair of maps for each parity of the generation; user space puts them in. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_HASH);
		__uint(max_entries, 1);
		__uint(key_size, sizeof(struct wire_chunk));
		__uint(value_size, sizeof(__u64));
	});
} chunk_maps SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_HASH);
		__uint(max_entries, 1);
		__uint(key_size, sizeof(struct wire_key));
		__uint(value_size, sizeof(struct wire_value));
	});
} count_maps SEC(".maps");

/* Threads that pass the filter. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
} tids SEC(".maps");

/* The cgroup that passes the filter, with those below it. */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} cgroups SEC(".maps");

/* Threads that do not run; the key is the tid. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_wait);
} waits SEC(".maps");

/* Gets one byte each time that a map is half full, to wake user space; it carries nothing else. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} wakeups SEC(".maps");

#endif /* USTACK_BPF_MAPS_H */
