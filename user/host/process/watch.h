/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What processes do to their mappings, as perf's events tell it: fork, exec, mmap with
 * build ids, exit. It fills processes.h.
 *
 * Context: one thread at a time. A thread of its own empties perf's rings meanwhile, and
 * leaves what is not its own alone.
 */
#ifndef USTACK_USER_PROCESS_WATCH_H
#define USTACK_USER_PROCESS_WATCH_H

#include "host/process/processes.h"
#include "util/diag.h"

struct watch;

/**
 * struct watch_options - what is watched
 * @tids: threads, and what they start from now on; NULL for all of the machine, which
 *        takes CAP_PERFMON
 * @nr_tids: of them
 */
struct watch_options {
	const uint32_t *tids;
	unsigned int nr_tids;
};

/**
 * struct watch_counts - what was met
 * @events: read
 * @lost: that there was no room for, in the kernel or here
 */
struct watch_counts {
	uint64_t events;
	uint64_t lost;
};

/**
 * watch_new() - begin to watch
 * @all: is filled; must outlive it
 * @options: may be forgotten after it
 * @ret: released by watch_free()
 * @diag: may be NULL
 *
 * Return: 0; -EACCES or -EPERM with what permits it; another negative errno.
 */
int watch_new(struct processes *all, const struct watch_options *options,
	      struct watch **ret, struct diag *diag);
void watch_free(struct watch *w);

/* CLOCK_MONOTONIC, in nanoseconds: the clock of all events. */
uint64_t watch_now(void);

/**
 * watch_read() - take in what has happened
 * @w: the watch
 *
 * What happened less than WATCH_SETTLE_NS ago may be left for the next call: events of
 * another CPU that are older may not be there yet.
 *
 * Return: 0 or -ENOMEM.
 */
int watch_read(struct watch *w);
#define WATCH_SETTLE_NS 2000000u

/* The same up to now, at the end. */
int watch_read_rest(struct watch *w);

/**
 * watch_scan() - take in the processes that are there
 * @w: the watch
 *
 * Call it once after watch_new(), and whenever the count of lost events has changed.
 *
 * Return: 0 or a negative errno.
 */
int watch_scan(struct watch *w);

void watch_counts(struct watch *w, struct watch_counts *ret);

/**
 * watch_look_for_cpus() - watch CPUs that have come online since
 * @w: the watch
 * @diag: may be NULL
 *
 * Of what happened on them before the call nothing is known: watch_scan() finds what is left
 * of it. A watch of threads has no such CPUs.
 *
 * Return: number of CPUs that are watched now and were not; a negative errno, with those that
 * were watched still watched.
 */
int watch_look_for_cpus(struct watch *w, struct diag *diag);

#endif /* USTACK_USER_PROCESS_WATCH_H */
