/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes of address spaces (mmap, fork, exec), from perf's own events, written to the log in
 * the format of perf script.
 */
#ifndef BPFSTACK_TASKS_H
#define BPFSTACK_TASKS_H

/* starts on all CPUs, and logs the mappings that are already in /proc */
void tasks_open(int cpus);

/* logs the new events; must be called often enough, or the buffers overflow */
void tasks_read(void);

/* number of records lost so far */
unsigned long tasks_lost(void);

#endif
