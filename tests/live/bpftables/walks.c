// SPDX-License-Identifier: GPL-2.0-only
/* Reads the file that tests/live/bpftables/chains writes, sorts its walks and finds a sample's walk. */
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../../guest/groundtruth/rewrite.h"
#include "walks.h"

static int by_thread(const void *a, const void *b)
{
	const struct chain *x = *(const struct chain *const *)a, *y = *(const struct chain *const *)b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

struct walks walks_read(const char *path)
{
	struct gt_input in = gt_read(path, 0);
	struct walks all = { .at = calloc(in.len / (8 * CHAIN_HEAD) + 1, sizeof(*all.at)) };
	size_t at, len;

	if (!all.at)
		err(2, "memory");
	for (at = 0; in.len - at >= 8 * CHAIN_HEAD; at += len) {
		const struct chain *c = (const void *)(in.bytes + at);

		len = 8 * (CHAIN_HEAD + (size_t)c->nr);
		if (c->nr > WIRE_FRAMES || len > in.len - at)
			errx(2, "%s: offset %zu: a walk of %u frames", path, at, c->nr);
		all.at[all.nr++] = c;
	}
	qsort(all.at, all.nr, sizeof(*all.at), by_thread);
	return all;
}

static bool is_walk(const struct chain *c, uint32_t tid, uint64_t pc, uint64_t sp)
{
	return c->tid == tid && c->sp == sp && c->nr && c->pc[0] == pc;
}

const struct chain *walks_find(const struct walks *all, uint32_t tid, uint64_t time, uint64_t pc,
			       uint64_t sp)
{
	const struct chain *ret = NULL;
	size_t lo = 0, hi = all->nr, mid;

	while (lo < hi) {	/* the first walk that is later than the sample */
		mid = (lo + hi) / 2;
		if (all->at[mid]->tid < tid || (all->at[mid]->tid == tid && all->at[mid]->time <= time))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && is_walk(all->at[lo - 1], tid, pc, sp))
		ret = all->at[lo - 1];
	if (lo < all->nr && is_walk(all->at[lo], tid, pc, sp) &&
	    (!ret || all->at[lo]->time - time < time - ret->time))
		ret = all->at[lo];
	return ret;
}
