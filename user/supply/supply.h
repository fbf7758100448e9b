/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers the module: each image without a table gets one that is made from its file. The
 * process that runs this reads the events and hands out jobs; its workers read the files:
 *
 *	fast	files with little text, one after the other as they come
 *	slow	large files, and files that took too long
 *	chores	having the module learn processes, and pruning the cache
 */
#ifndef USTACK_USER_SUPPLY_SUPPLY_H
#define USTACK_USER_SUPPLY_SUPPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "host/module/module.h"
#include "supply/cache.h"
#include "host/file/outcome.h"

/**
 * struct supply_options - options of a run
 * @once: end when no event is waiting and all are answered
 * @prepare: have the module learn all processes first
 * @verbose: report every image, not only skipped ones
 * @cache: the cache, NULL if there is none
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
 * supply_run() - answer events until a signal
 * @o: options
 * @ev: the module's events, open
 * @ret: counts, filled in any case
 * @diag: may be NULL
 *
 * SIGINT and SIGTERM end it. They are ignored on return.
 *
 * Return: 0, or a negative errno if the module cannot be used any more.
 */
int supply_run(const struct supply_options *o, struct module_events *ev,
	       struct supply_tally *ret, struct diag *diag);

#endif /* USTACK_USER_SUPPLY_SUPPLY_H */
