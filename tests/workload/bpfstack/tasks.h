/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tasks did to their address spaces (mmap, fork, exec), from perf's own
 * events, into the log in perf script's words.
 */
#ifndef BPFSTACK_TASKS_H
#define BPFSTACK_TASKS_H

/* begin, on all CPUs; and log what there is in /proc already */
void tasks_open(int cpus);

/* log what has come; call often enough for the buffers not to run over */
void tasks_read(void);

/* records lost so far */
unsigned long tasks_lost(void);

#endif
