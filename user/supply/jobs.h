/* SPDX-License-Identifier: GPL-2.0-only */
/* The jobs of `ustack supply`, as its workers do them. */
#ifndef USTACK_USER_SUPPLY_JOBS_H
#define USTACK_USER_SUPPLY_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "host/module/module.h"
#include "host/file/outcome.h"

struct cache;

enum supply_job_kind {
	SUPPLY_JOB_ANSWER,	/* answer an event: load a table for its image */
	SUPPLY_JOB_PREPARE,	/* have the module learn all processes */
	SUPPLY_JOB_PRUNE,	/* keep the cache within its size */
};

/**
 * struct supply_job - message to a worker
 * @kind: enum supply_job_kind
 * @large: for ANSWER: large files may be read, too
 * @event: for ANSWER: the module's event
 */
struct supply_job {
	uint32_t kind;
	uint32_t large;
	struct ustack_event event;
};

/**
 * struct supply_worker - context of all jobs
 * @m: the module
 * @cache: the cache of sections, NULL if there is none
 * @cache_max: size in bytes that PRUNE keeps @cache within
 */
struct supply_worker {
	const struct module *m;
	const struct cache *cache;
	uint64_t cache_max;
};

/* A worker_kind.work; @arg is a struct supply_worker. Results of PREPARE and PRUNE only matter
 * if they are fatal.
 */
void supply_work(void *arg, const void *job, size_t len,
		 struct supply_result *ret);

#endif /* USTACK_USER_SUPPLY_JOBS_H */
