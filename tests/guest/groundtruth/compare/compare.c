// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes the user part out of a callchain and compares it with the true stack, frame by frame
 * (compare.h).
 */
#include <linux/perf_event.h>

#include "compare.h"

static bool is_context(uint64_t entry)
{
	return entry >= PERF_CONTEXT_MAX;
}

struct chain chain_user(const uint64_t *entries, unsigned int count)
{
	struct chain c = {};
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!is_context(entries[i])) {
			c.entries++;
			continue;
		}
		if (entries[i] != PERF_CONTEXT_USER)
			continue;
		c.pcs = entries + i + 1;
		while (i + 1 < count && !is_context(entries[i + 1])) {
			i++;
			c.count++;
			c.entries++;
		}
	}
	return c;
}

enum verdict chain_compare(const struct chain *c, const struct unwound *u,
			   unsigned int *ret_common)
{
	unsigned int n = 0;

	while (n < c->count && n < u->count && c->pcs[n] == u->pcs[n])
		n++;
	*ret_common = n;
	if (n < c->count && n < u->count)
		return MISMATCH;
	if (n < u->count)
		return SHORT;
	if (u->end == DW_OUTERMOST)
		return n < c->count ? PAST_END : WHOLE;
	return n < c->count ? LIBDW_SHORT : BOTH_SHORT;
}
