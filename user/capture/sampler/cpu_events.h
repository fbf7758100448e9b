/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's events, one of each for each CPU, with the sampling program attached.
 *
 * They are of CPUs, never of tasks; programs filter. An event of a task would be one more
 * for each thread and CPU, would have to be opened while threads come and go, and of
 * those that inherit it the program that counts could not tell which one it is. A tick
 * that does not pass the filter costs a fraction of one that does (Documentation/sampler.md).
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
 * @fd: perf's, -1 if it is not open
 * @link: to the program
 * @enabled: nanoseconds when it was looked at last: a CPU that was away meanwhile is told
 *	by a time that stands still
 * @before: counted by descriptors that were closed
 * @settled: counted, not sampled, and dealt with in struct cpu_events' @missed
 * @count: cpu_events_count() at the last cpu_events_look()
 * @missed: samples, at the present rate, as far as they have been told
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
 * @name: as it is sampled; borrowed
 * @spec: what it is
 * @period: between samples, 0 if @frequency is kept
 * @frequency: a second
 * @index: the cookie that the program gets
 * @program: descriptor
 * @cpu: by CPU
 * @nr: of @cpu
 * @missed: samples, of periods that @period was before
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
 * @e: all but @cpu and @nr set, these 0 at first; released by cpu_events_release()
 * @cpus: where
 * @enable: begin to sample; else cpu_events_enable() does
 * @diag: may be NULL
 *
 * A CPU that goes offline meanwhile is passed over.
 *
 * Return: CPUs that it was opened for, or a negative errno.
 */
int cpu_events_open(struct cpu_events *e, const struct cpus *cpus, bool enable,
		    struct diag *diag);
void cpu_events_release(struct cpu_events *e);

void cpu_events_enable(struct cpu_events *e);
void cpu_events_disable(struct cpu_events *e);

/* Closes all; what they counted stays known. */
void cpu_events_close(struct cpu_events *e);

/* Closes what stands still, so that the next cpu_events_open() opens it again. */
void cpu_events_close_stale(struct cpu_events *e);

/* What the kernel counted on a CPU: nanoseconds if it is a clock; 0 for a clock with ":u"
 * or ":k", which counts what it does not sample, too.
 */
uint64_t cpu_events_count(const struct cpu_events *e, unsigned int cpu);

/* Keeps what is counted by now in @count of each CPU. */
void cpu_events_look(struct cpu_events *e);

#endif /* USTACK_USER_SAMPLER_CPU_EVENTS_H */
