/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters: one set per CPU, incremented without locks, also in NMI. */
#ifndef USTACK_EVENTS_H
#define USTACK_EVENTS_H

#include <linux/percpu.h>

#include "reason.h"

struct ustack_stats;

/*
 * Only the CPU itself writes, in any context: a local 64-bit add is one
 * instruction on x86-64, and an NMI-safe this_cpu_add on arm64.
 */
struct ustack_counters {
	u64 samples;
	u64 frames;
	u64 table_steps;
	u64 blind_steps;
	u64 guessed_steps;
	u64 guessed_samples;
	u64 guessed_complete;
	u64 reasons[USTACK_NR_REASONS];
};

DECLARE_PER_CPU(struct ustack_counters, ustack_counters);

/* Context: NMI-safe. */
#define ustack_count(field, n) this_cpu_add(ustack_counters.field, n)
#define ustack_count_reason(reason) \
	this_cpu_inc(ustack_counters.reasons[(reason)])

/**
 * ustack_events_sum() - add up the counters of all CPUs
 * @ret: the counters in it are overwritten, the other fields stay
 *
 * Context: any. The sum is not a snapshot: samples continue meanwhile.
 */
void ustack_events_sum(struct ustack_stats *ret);

#endif /* USTACK_EVENTS_H */
