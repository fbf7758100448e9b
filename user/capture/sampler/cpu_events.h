/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf events, one for each CPU, with the sampling program attached.
 *
 * Events belong to CPUs, never to tasks; the programs filter. Events of tasks
 * would need one for each pair of thread and CPU, and would have to be opened
 * while threads come and go. If threads inherit an event, the program cannot
 * tell which of them it counts for. A tick that does not pass the filter costs
 * a fraction of one that does (Documentation/sampler.md).
 */
#ifndef USTACK_USER_SAMPLER_CPU_EVENTS_H
#define USTACK_USER_SAMPLER_CPU_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/perf/cpus.h"
#include "capture/sampler/event.h"
#include "util/diag.h"

/**
 * struct cpu_event - an event on one CPU
 * @fd: descriptor of perf's event, -1 if it is not open
 * @link: descriptor of the link to the program
 * @enabled: nanoseconds that it had been enabled when last looked at. If this
 *	stands still, the CPU was offline in between
 * @before: what closed descriptors of this CPU had counted
 * @settled: part of the count that gave no sample and is already in struct
 *	cpu_events' @missed
 * @count: cpu_events_count() at the last cpu_events_look()
 * @missed: samples missed at the present rate, as last reported
 */
struct cpu_event {
	int fd;
	int link;
	uint64_t enabled;
	uint64_t before;
	uint64_t settled;
	uint64_t count;
	uint64_t missed;
};

/**
 * struct cpu_events - an event on all CPUs
 * @name: name of the event that is sampled; borrowed
 * @spec: the event, parsed
 * @period: events between two samples, 0 if @frequency is set
 * @frequency: samples a second
 * @index: index of the event; the program gets it as its cookie
 * @program: descriptor of the program
 * @cpu: array with an entry for each CPU, indexed by CPU
 * @nr: number of entries in @cpu
 * @missed: samples missed at former rates
 */
struct cpu_events {
	const char *name;
	struct event spec;
	uint64_t period;
	uint64_t frequency;
	unsigned int index;
	int program;
	struct cpu_event *cpu;
	unsigned int nr;
	uint64_t missed;
};

/**
 * cpu_events_open() - open on CPUs that have none yet
 * @e: all set but @cpu and @nr, which are 0 at first; released by
 *	cpu_events_release()
 * @cpus: CPUs to open it on
 * @enable: begin to sample; else cpu_events_enable() does that
 * @diag: may be NULL
 *
 * A CPU that goes offline during the call is skipped.
 *
 * Return: number of CPUs that it was opened on, or a negative errno.
 */
int cpu_events_open(struct cpu_events *e, const struct cpus *cpus, bool enable,
		    struct diag *diag);
void cpu_events_release(struct cpu_events *e);

void cpu_events_enable(struct cpu_events *e);
void cpu_events_disable(struct cpu_events *e);

/* Closes the events of all CPUs and keeps their counts. */
void cpu_events_close(struct cpu_events *e);

/*
 * Closes events whose CPU was offline, so that the next cpu_events_open() opens
 * them again.
 */
void cpu_events_close_stale(struct cpu_events *e);

/*
 * Return: what the kernel counted on a CPU, nanoseconds for a clock. 0 for a
 * clock with ":u" or ":k": such a clock also counts time that it does not
 * sample.
 */
uint64_t cpu_events_count(const struct cpu_events *e, unsigned int cpu);

/* Stores cpu_events_count() of each CPU in its @count. */
void cpu_events_look(struct cpu_events *e);

#endif /* USTACK_USER_SAMPLER_CPU_EVENTS_H */
