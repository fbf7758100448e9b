// SPDX-License-Identifier: GPL-2.0-only
/* Adds up the per-CPU counters. */
#include "events.h"

#include <linux/cpumask.h>

#include "ustack.h"

DEFINE_PER_CPU(struct ustack_counters, ustack_counters);

void ustack_events_sum(struct ustack_stats *ret)
{
	const struct ustack_counters *c;
	unsigned int i;
	int cpu;

	BUILD_BUG_ON(USTACK_STATS_REASONS != USTACK_NR_REASONS);
	ret->samples = 0;
	ret->frames = 0;
	ret->table_steps = 0;
	ret->blind_steps = 0;
	ret->guessed_steps = 0;
	ret->guessed_samples = 0;
	ret->guessed_complete = 0;
	memset(ret->reasons, 0, sizeof(ret->reasons));
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(&ustack_counters, cpu);
		ret->samples += READ_ONCE(c->samples);
		ret->frames += READ_ONCE(c->frames);
		ret->table_steps += READ_ONCE(c->table_steps);
		ret->blind_steps += READ_ONCE(c->blind_steps);
		ret->guessed_steps += READ_ONCE(c->guessed_steps);
		ret->guessed_samples += READ_ONCE(c->guessed_samples);
		ret->guessed_complete += READ_ONCE(c->guessed_complete);
		for (i = 0; i < USTACK_NR_REASONS; i++)
			ret->reasons[i] += READ_ONCE(c->reasons[i]);
	}
}
