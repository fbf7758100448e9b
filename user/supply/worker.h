/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A worker: a process in a jail that does one job at a time. Files are read only there: a
 * file that kills its reader, takes too much memory or never ends costs one worker, which
 * is replaced, and the file is skipped.
 */
#ifndef USTACK_USER_SUPPLY_WORKER_H
#define USTACK_USER_SUPPLY_WORKER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/jail/jail.h"
#include "host/file/outcome.h"

/* Bytes of a job, which is one message: an event with a path of 4,096 bytes fits. */
#define WORKER_MAX_JOB 8192u

/**
 * struct worker_kind - properties of workers
 * @work: does a job, in the worker; @ret is zeroed
 * @arg: for @work
 * @seconds: limit of a job's time; then the worker is killed
 * @memory: bytes of address space in addition to those of the parent process
 * @jobs: number of jobs after which a worker is replaced, so that its memory is freed
 * @nice: added to the niceness
 * @device: descriptor of the module's device that @work needs; 0: none
 * @cache: descriptor of the cache's directory that @work needs; 0: none
 * @files_alone: @work reads no process, so that it can be kept from writing outside of the
 *               cache; see @folder of struct jail_limits
 */
struct worker_kind {
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
 * struct worker - a worker, or a place for one
 * @kind: properties of the worker
 * @jail: the worker's process; its deadline is the job's
 * @fd: socket to the worker
 * @busy: the worker has a job
 * @served: number of jobs sent to this worker
 */
struct worker {
	const struct worker_kind *kind;
	struct jail jail;
	int fd;
	bool busy;
	unsigned int served;
};

#define WORKER_INIT(k) { .kind = (k) }

/* CLOCK_MONOTONIC in milliseconds. */
int64_t worker_clock_ms(void);

/* Half of the machine's memory, but at most @max. */
uint64_t worker_memory(uint64_t max);

/**
 * worker_send() - send a job to a worker that is not busy
 * @l: the worker; its process is started if there is none
 * @job: the message, copied; 8-byte aligned in the worker
 * @len: number of bytes, at most WORKER_MAX_JOB
 *
 * Return: 0 or a negative errno if no worker can be started.
 */
int worker_send(struct worker *l, const void *job, size_t len);

/**
 * worker_collect() - receive the result of a job, if it is ready
 * @l: any worker
 * @ret: the result; SUPPLY_TIME or SUPPLY_DIED if the worker sent none
 *
 * Return: whether there is a result.
 */
bool worker_collect(struct worker *l, struct supply_result *ret);

/* Fills @p to wait for the worker, and lowers *@timeout (ms, -1: none) to its deadline. */
void worker_poll(const struct worker *l, struct pollfd *p, int *timeout);

/* Kills the worker, whatever it does. */
void worker_stop(struct worker *l);

#endif /* USTACK_USER_SUPPLY_WORKER_H */
