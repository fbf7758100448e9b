/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/host/process: perf's rings of events about mappings, one for each CPU. */
#ifndef USTACK_USER_PROCESS_WATCH_RINGS_H
#define USTACK_USER_PROCESS_WATCH_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/perf/cpus.h"
#include "host/perf/ring.h"
#include "util/diag.h"

/**
 * struct watch_rings - all of them
 * @machine: all of it is watched, not threads
 * @possible: CPUs that may come
 * @rings: one for each CPU, whatever the number of threads: memory that may be locked is
 *	short
 * @ring_cpus: their CPUs
 * @enabled: how long their events had been on when that was last looked at
 * @fds: of events; the first @nr are those that the rings are of
 * @nr: rings
 * @nr_fds: of @fds
 * @epoll: of those of the rings, and of @stop
 * @stop: eventfd: watch_rings_wait() ends
 */
struct watch_rings {
	bool machine;
	struct cpus possible;
	struct perf_ring *rings;
	unsigned int *ring_cpus;
	uint64_t *enabled;
	int *fds;
	unsigned int nr;
	unsigned int nr_fds;
	int epoll;
	int stop;
};

#define WATCH_RINGS_INIT { .epoll = -1, .stop = -1 }

/* Takes what a ring has. Return: 0 or a negative errno. */
typedef int watch_ring_fn(struct perf_ring *r, void *arg);

/**
 * watch_rings_open() - begin to watch
 * @w: WATCH_RINGS_INIT; to be released in any case
 * @tids: threads, and what they start from now on; NULL for all of the machine
 * @nr_tids: of them
 * @diag: may be NULL
 *
 * Return: as watch_new().
 */
int watch_rings_open(struct watch_rings *w, const uint32_t *tids, unsigned int nr_tids,
		     struct diag *diag);
void watch_rings_release(struct watch_rings *w);

/* Waits until a ring has much. Return: false when watch_rings_stop() was called. Context: it
 * may go on beside all else.
 */
bool watch_rings_wait(const struct watch_rings *w);
void watch_rings_stop(struct watch_rings *w);

/* Each ring to @read. Return: 0, or the first error, when all have been read. */
int watch_rings_read(struct watch_rings *w, watch_ring_fn *read, void *arg);

/* As watch_look_for_cpus(); a ring that ends is given to @read before. */
int watch_rings_look_for_cpus(struct watch_rings *w, watch_ring_fn *read, void *arg,
			      struct diag *diag);

#endif /* USTACK_USER_PROCESS_WATCH_RINGS_H */
