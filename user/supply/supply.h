/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers the module: each image that has no table gets one that is made of its
 * file's CFI. The process that runs this reads the events and hands out jobs;
 * files are read by its workers:
 *
 *	fast	files with little text, one after the other as they come
 *	slow	large files, and those that were not done in time
 *	chores	learning processes, keeping the cache small
 */
#ifndef USTACK_USER_SUPPLY_SUPPLY_H
#define USTACK_USER_SUPPLY_SUPPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "host/module/module.h"
#include "supply/cache.h"
#include "host/file/outcome.h"

/**
 * struct supply_options - what to do
 * @once: end when no event is waiting and all are answered
 * @prepare: let the module learn all processes first
 * @verbose: say what became of every image, not only what was skipped
 * @cache: NULL if there is none
 * @cache_max: bytes that @cache is kept within
 * @say: prints a line
 */
struct supply_options {
	bool once;
	bool prepare;
	bool verbose;
	const struct cache *cache;
	uint64_t cache_max;
	void (*say)(const char *line);
};

/**
 * supply_run() - answer events until told to end
 * @o: what to do
 * @ev: open
 * @ret: what was done, filled in any case
 * @diag: may be NULL
 *
 * SIGINT and SIGTERM end it. They are ignored on return.
 *
 * Return: 0, or a negative errno when the module is of no use.
 */
int supply_run(const struct supply_options *o, struct module_events *ev,
	       struct supply_tally *ret, struct diag *diag);

#endif /* USTACK_USER_SUPPLY_SUPPLY_H */
