/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A worker: a jail that does one job at a time. Files are read there and nowhere
 * else: one that kills its reader, eats memory or never ends costs one worker,
 * which is replaced, and the file is skipped.
 */
#ifndef USTACK_USER_SUPPLY_LANE_H
#define USTACK_USER_SUPPLY_LANE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/jail/jail.h"
#include "host/file/outcome.h"

/* A job is one message: an event with a path of 4,096 bytes fits. */
#define LANE_MAX_JOB 8192u

/**
 * struct lane_kind - what workers of a lane are
 * @work: does a job, in the worker; @ret is zeroed
 * @arg: for @work
 * @seconds: a job may take; then the worker is killed
 * @memory: bytes of address space beside those of who starts it
 * @jobs: after so many a worker is replaced, and its memory with it
 * @nice: added to the niceness
 * @device: descriptor of the module's device that @work needs; 0: none
 * @cache: descriptor of the cache's folder that @work needs; 0: none
 * @files_alone: @work looks at no process, and can be kept from writing beside the cache, see @folder
 *               of struct jail_limits
 */
struct lane_kind {
	void (*work)(void *arg, const void *job, size_t len,
		     struct supply_result *ret);
	void *arg;
	unsigned int seconds;
	uint64_t memory;
	unsigned int jobs;
	int nice;
	int device;
	int cache;
	bool files_alone;
};

/**
 * struct lane - a worker, or the place for one
 * @kind: what it does
 * @jail: the worker; its deadline is the job's
 * @fd: of the socket to it
 * @busy: it has a job
 * @served: jobs sent to this worker
 */
struct lane {
	const struct lane_kind *kind;
	struct jail jail;
	int fd;
	bool busy;
	unsigned int served;
};

#define LANE_INIT(k) { .kind = (k) }

/* Milliseconds of a clock that only goes forward. */
int64_t lane_now(void);

/* Half of the machine's memory, but at most @max. */
uint64_t lane_memory(uint64_t max);

/**
 * lane_send() - give a job to a lane that is not busy
 * @l: starts a worker if there is none
 * @job: copied; 8-byte aligned for the worker
 * @len: at most LANE_MAX_JOB
 *
 * Return: 0 or a negative errno, when no worker can be had.
 */
int lane_send(struct lane *l, const void *job, size_t len);

/**
 * lane_collect() - take the result of a job, if it is there
 * @l: any
 * @ret: the result; SUPPLY_TIME or SUPPLY_DIED where the worker gave none
 *
 * Return: whether there is one.
 */
bool lane_collect(struct lane *l, struct supply_result *ret);

/* Fills @p to wait for the lane; brings *@timeout (-1: none) down to its deadline. */
void lane_poll(const struct lane *l, struct pollfd *p, int *timeout);

/* Ends the worker, whatever it does. */
void lane_stop(struct lane *l);

#endif /* USTACK_USER_SUPPLY_LANE_H */
