// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps samples whose user chain comes later. The kernel takes that chain when
 * the thread returns to user mode (perf record --call-graph fp,defer), once for
 * all samples with the same cookie. See import.h; import.c calls it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/perfimport/import.h"
#include "util/array.h"

struct import_waiting {
	struct perfdata_record record;
	uint32_t nr_kernel;
	uint64_t kernel[];
};

int import_pending_put(struct import *im, const struct perfdata_record *r,
		       const struct import_chain *c)
{
	struct import_pending *all = &im->pending;
	struct import_waiting *w;
	int err = 0;

	w = malloc(sizeof(*w) + c->nr_kernel * sizeof(w->kernel[0]));
	if (!w || !array_has_room(all->waiting, all->nr, all->room)) {
		free(w);
		return -ENOMEM;
	}
	w->record = *r;
	/* pointers in the record are invalid by the time the chain comes */
	w->record.sample = (struct perfdata_sample){
		.ip = r->sample.ip, .period = r->sample.period, .cookie = r->sample.cookie,
		.cgroup = r->sample.cgroup,
	};
	w->nr_kernel = (uint32_t)c->nr_kernel;
	memcpy(w->kernel, c->kernel, c->nr_kernel * sizeof(w->kernel[0]));
	/*
	 * after @c was copied: @c may be @im->chain, which import_pending_end()
	 * overwrites
	 */
	if (all->nr == IMPORT_MAX_PENDING)
		err = import_pending_end(im);
	if (err)
		free(w);
	else
		all->waiting[all->nr++] = w;
	return err;
}

/* Counts a sample. @ips: its user chain, NULL if it has not come. */
static int finish(struct import *im, struct import_waiting *w, const uint64_t *ips, size_t nr)
{
	struct import_chain *c = &im->chain;
	int err;

	c->nr_user = 0;
	c->nr_kernel = w->nr_kernel;
	memcpy(c->kernel, w->kernel, w->nr_kernel * sizeof(w->kernel[0]));
	if (ips)
		import_chain_add(c, ips, nr, PERF_RECORD_MISC_USER);
	else
		im->pending.unmatched++;
	err = import_count(im, &w->record, c);
	free(w);
	return err;
}

int import_pending_take(struct import *im, const struct perfdata_record *d)
{
	struct import_pending *all = &im->pending;
	size_t i, nr = 0;
	int err = 0;

	for (i = 0; i < all->nr; i++) {
		struct import_waiting *w = all->waiting[i];
		bool mine = w->record.sample.cookie == d->deferred.cookie;

		/*
		 * samples of the thread with another cookie: their chain was
		 * lost
		 */
		if (w->record.tid != d->tid || err) {
			all->waiting[nr++] = w;
			continue;
		}
		err = finish(im, w, mine ? d->deferred.ips : NULL, d->deferred.nr_ips);
	}
	all->nr = nr;
	return err;
}

int import_pending_end(struct import *im)
{
	struct import_pending *all = &im->pending;
	size_t i;
	int err = 0;

	for (i = 0; i < all->nr && !err; i++)
		err = finish(im, all->waiting[i], NULL, 0);
	all->nr -= i;
	if (all->nr)
		memmove(all->waiting, all->waiting + i, all->nr * sizeof(*all->waiting));
	return err;
}

uint64_t import_pending_since(const struct import *im)
{
	return im->pending.nr ? im->pending.waiting[0]->record.time : UINT64_MAX;
}

void import_pending_release(struct import *im)
{
	size_t i;

	for (i = 0; i < im->pending.nr; i++)
		free(im->pending.waiting[i]);
	free(im->pending.waiting);
}
