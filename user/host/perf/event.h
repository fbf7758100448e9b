/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens events with perf_event_open(2). */
#ifndef USTACK_USER_PERF_EVENT_H
#define USTACK_USER_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens an event. Return: a descriptor, closed on exec, or a negative errno. */
int perf_open(struct perf_event_attr *attr, int pid, int cpu);

/* Opens an event for a cgroup on a CPU. @cgroup: descriptor of the cgroup's folder. */
int perf_open_cgroup(struct perf_event_attr *attr, int cgroup, int cpu);

/**
 * perf_stands_still() - check whether an event of a CPU was off since the last check
 *
 * When a CPU goes offline, its event is switched off, and stays off after the CPU is
 * back. It has to be opened again; nothing else tells this.
 *
 * @fd: descriptor of the event, enabled, with PERF_FORMAT_TOTAL_TIME_ENABLED in its read
 *      format and nothing else except PERF_FORMAT_TOTAL_TIME_RUNNING
 * @enabled: nanoseconds for which it had been enabled at the last check, 0 at the first;
 *           updated
 *
 * Return: true if the time has not grown; false if it has, or cannot be read.
 */
bool perf_stands_still(int fd, uint64_t *enabled);

#endif /* USTACK_USER_PERF_EVENT_H */
