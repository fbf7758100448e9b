/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows changes of processes' mappings with perf events: fork, exec, mmap with build
 * ids, exit. It feeds processes.h.
 *
 * Context: one thread at a time. Meanwhile a thread of its own empties perf's rings; it
 * uses nothing of the caller's.
 */
#ifndef USTACK_USER_PROCESS_WATCH_H
#define USTACK_USER_PROCESS_WATCH_H

#include "host/process/processes.h"
#include "util/diag.h"

struct watch;

/**
 * struct watch_options - what is watched
 * @tids: threads to watch, with all that they start from now on; NULL for the whole
 *        machine, which needs CAP_PERFMON
 * @nr_tids: number of @tids
 */
struct watch_options {
	const uint32_t *tids;
	unsigned int nr_tids;
};

/**
 * struct watch_counts - numbers of events
 * @events: number of events read
 * @lost: number of events lost for lack of room, in the kernel or here
 */
struct watch_counts {
	uint64_t events;
	uint64_t lost;
};

/**
 * watch_new() - start to watch
 * @all: gets the events; must outlive the watch
 * @options: need not outlive this call
 * @ret: released by watch_free()
 * @diag: may be NULL
 *
 * Return: 0; -EACCES or -EPERM, with a message that says what permits it; another
 * negative errno.
 */
int watch_new(struct processes *all, const struct watch_options *options,
	      struct watch **ret, struct diag *diag);
void watch_free(struct watch *w);

/* The time of CLOCK_MONOTONIC in nanoseconds: the clock of all events. */
uint64_t watch_now(void);

/**
 * watch_read() - add what has happened to the processes
 * @w: the watch
 *
 * Events younger than WATCH_SETTLE_NS may be left for the next call, as older events from
 * another CPU may still come.
 *
 * Return: 0 or -ENOMEM.
 */
int watch_read(struct watch *w);
#define WATCH_SETTLE_NS 2000000u

/**
 * watch_scan() - add all processes that are running
 * @w: the watch
 *
 * Call it once after watch_new(), and whenever the number of lost events has changed.
 *
 * Return: 0 or a negative errno.
 */
int watch_scan(struct watch *w);

void watch_counts(struct watch *w, struct watch_counts *ret);

/**
 * watch_look_for_cpus() - watch CPUs that have come online
 * @w: the watch
 * @diag: may be NULL
 *
 * Events on them before this call are not known; watch_scan() finds the processes that
 * are left. A watch of threads needs no new CPUs.
 *
 * Return: number of CPUs that are newly watched; a negative errno, and all others are
 * still watched.
 */
int watch_look_for_cpus(struct watch *w, struct diag *diag);

#endif /* USTACK_USER_PROCESS_WATCH_H */
