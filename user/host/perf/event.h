/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of perf_event_open(2). */
#ifndef USTACK_USER_PERF_EVENT_H
#define USTACK_USER_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* perf_event_open(2). Return: a descriptor, closed on exec, or a negative errno. */
int perf_open(struct perf_event_attr *attr, int pid, int cpu);

/* The same of a cgroup, by a descriptor of its folder, on a CPU. */
int perf_open_cgroup(struct perf_event_attr *attr, int cgroup, int cpu);

/**
 * perf_stands_still() - whether an event of a CPU has not been on since the last look
 *
 * When a CPU goes, its event goes off, and stays so when the CPU comes back: it has to be opened
 * again, which nothing else tells.
 *
 * @fd: enabled, with PERF_FORMAT_TOTAL_TIME_ENABLED and no more than
 *	PERF_FORMAT_TOTAL_TIME_RUNNING beside it
 * @enabled: nanoseconds that it had been on at the last look, 0 before the first; written
 *
 * Return: true if it was no longer on than then; false if it was, or cannot be read.
 */
bool perf_stands_still(int fd, uint64_t *enabled);

#endif /* USTACK_USER_PERF_EVENT_H */
