/* SPDX-License-Identifier: GPL-2.0-only */
/* The jobs of "ustack supply", as its workers do them. */
#ifndef USTACK_USER_SUPPLY_ANSWER_H
#define USTACK_USER_SUPPLY_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "host/module/module.h"
#include "host/file/outcome.h"

struct cache;

enum supply_job_kind {
	SUPPLY_JOB_ANSWER,	/* an event follows: give its image a table */
	SUPPLY_JOB_PREPARE,	/* let the module learn all processes */
	SUPPLY_JOB_PRUNE,	/* keep the cache within its size */
};

/**
 * struct supply_job - what a worker is sent
 * @kind: enum supply_job_kind
 * @large: of ANSWER: large files too
 * @event: of ANSWER
 */
struct supply_job {
	uint32_t kind;
	uint32_t large;
	struct ustack_event event;
};

/**
 * struct supply_worker - what jobs need
 * @m: the module
 * @cache: NULL if there is none
 * @cache_max: bytes that the cache is kept within
 */
struct supply_worker {
	const struct module *m;
	const struct cache *cache;
	uint64_t cache_max;
};

/* lane_kind.work; @arg is a struct supply_worker. Of PREPARE and PRUNE only a
 * fatal result means anything.
 */
void supply_work(void *arg, const void *job, size_t len,
		 struct supply_result *ret);

#endif /* USTACK_USER_SUPPLY_ANSWER_H */
