/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/host/process: perf's rings with events about mappings, one for each CPU. */
#ifndef USTACK_USER_PROCESS_WATCH_RINGS_H
#define USTACK_USER_PROCESS_WATCH_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/perf/cpus.h"
#include "host/perf/ring.h"
#include "util/diag.h"

/**
 * struct watch_rings - all rings
 * @machine: the whole machine is watched, not single threads
 * @possible: CPUs that may come online
 * @rings: one ring for each CPU, for any number of threads, as lockable memory is limited
 * @ring_cpus: CPU of each ring
 * @enabled: for each ring, how long its event had been enabled at the last check, in
 *           nanoseconds
 * @fds: descriptors of all events; the first @nr are those of the rings
 * @nr: number of @rings
 * @nr_fds: number of @fds
 * @epoll: epoll descriptor for the rings' events and @stop
 * @stop: eventfd that ends watch_rings_wait()
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

/* Reads what is in a ring. Return: 0 or a negative errno. */
typedef int watch_ring_fn(struct perf_ring *r, void *arg);

/**
 * watch_rings_open() - open the rings
 * @w: WATCH_RINGS_INIT; released in any case
 * @tids: threads to watch, with all that they start from now on; NULL for the whole
 *        machine
 * @nr_tids: number of @tids
 * @diag: may be NULL
 *
 * Return: as watch_new().
 */
int watch_rings_open(struct watch_rings *w, const uint32_t *tids, unsigned int nr_tids,
		     struct diag *diag);
void watch_rings_release(struct watch_rings *w);

/*
 * Waits until a ring is filling up. Return: false after watch_rings_stop(). Context: may
 * run in parallel with all other functions.
 */
bool watch_rings_wait(const struct watch_rings *w);
void watch_rings_stop(struct watch_rings *w);

/* Calls @read for each ring. Return: 0, or the first error after all have been read. */
int watch_rings_read(struct watch_rings *w, watch_ring_fn *read, void *arg);

/* As watch_look_for_cpus(); @read is called for a ring before it is closed. */
int watch_rings_look_for_cpus(struct watch_rings *w, watch_ring_fn *read, void *arg,
			      struct diag *diag);

#endif /* USTACK_USER_PROCESS_WATCH_RINGS_H */
