/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps for frames of languages. sampler.bpf.c and tasks.bpf.c share lang_procs. */
#ifndef USTACK_BPF_LANG_MAPS_H
#define USTACK_BPF_LANG_MAPS_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "lang.h"

/* The key is the tgid. Programs only look up, and delete an entry when its process has ended. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, LANG_PROCS);
	__type(key, __u32);
	__type(value, struct lang_proc);
} lang_procs SEC(".maps");

#endif /* USTACK_BPF_LANG_MAPS_H */
