// SPDX-License-Identifier: GPL-2.0-only
/*
 * The jobs of `ustack supply`, done in a worker (worker.h): finds the file of an event, gets
 * its section and loads it into the module; has the module learn processes; prunes the cache.
 */
#include "supply/jobs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "supply/load.h"
#include "supply/section.h"
#include "util/cleanup.h"
#include "util/options.h"

/* Gets the file's section, as @flags allow, and loads it into the module. */
static void answer_file(const struct supply_worker *w, struct supply_file *f,
			bool vdso, unsigned int flags, struct supply_result *r)
{
	_cleanup_(cache_entry_release) struct cache_entry entry =
		CACHE_ENTRY_INIT;
	const struct supply_order order = {
		/* the vDSO is small, and its file is made anew each time */
		.cache = vdso ? NULL : w->cache,
		.flags = flags,
	};

	supply_section(&order, f, &entry, r);
	if (r->outcome == SUPPLY_CACHED || r->outcome == SUPPLY_MADE)
		supply_load(w->m, f, vdso, &entry, r);
}

static void answer(const struct supply_worker *w, const struct ustack_event *e,
		   unsigned int flags, struct supply_result *r)
{
	_cleanup_(supply_file_release) struct supply_file f = SUPPLY_FILE_INIT;
	enum ustack_reason reason;
	enum supply_outcome found;
	bool cached;

	found = e->vdso ? supply_locate_vdso(&f, e, &reason) :
			  supply_locate(&f, e, &reason);
	/* its path, as seen from here, may lead to another file: the module is asked again */
	if (supply_was_late(found) && !e->vdso)
		module_again(w->m, e, NULL);
	if (found) {
		supply_outcome_set(r, found, "%s",
				   found == SUPPLY_BROKEN ?
					   ustack_reason_text(reason) : "");
		return;
	}
	answer_file(w, &f, e->vdso, flags, r);
	if (r->outcome != SUPPLY_REFUSED)
		return;
	/* a cached section had the right sum, so its writer was wrong: make it anew */
	cached = !r->cfi_bytes && !e->vdso && w->cache;
	if (!cached)
		return;
	*r = (struct supply_result){ 0 };
	answer_file(w, &f, false, flags | SUPPLY_AFRESH, r);
}

/* Errors of single processes are ignored: they end meanwhile, or are kernel threads. */
static void prepare_all(const struct supply_worker *w, struct supply_result *r)
{
	_cleanup_(cleanup_dir) DIR *proc = opendir("/proc");
	struct ustack_prepare prepared;
	struct dirent *entry;
	struct diag diag;
	u64 pid;
	int err;

	while (proc && (entry = readdir(proc))) {
		if (!option_parse_u64(entry->d_name, &pid) || pid > INT_MAX)
			continue;
		err = module_prepare(w->m, (int)pid, &prepared, &diag);
		if (!supply_is_fatal(err))
			continue;
		supply_refused(err, &diag, r);
		return;
	}
}

void supply_work(void *arg, const void *job, size_t len,
		 struct supply_result *ret)
{
	const struct supply_worker *w = arg;
	const struct supply_job *j = job;
	struct cache_pruned pruned;

	switch (j->kind) {
	case SUPPLY_JOB_ANSWER:
		answer(w, &j->event, j->large ? SUPPLY_MAY_BE_LARGE : 0, ret);
		break;
	case SUPPLY_JOB_PREPARE:
		prepare_all(w, ret);
		break;
	case SUPPLY_JOB_PRUNE:
		cache_prune(w->cache, w->cache_max, &pruned);
		break;
	}
}
