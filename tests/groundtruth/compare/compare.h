/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's callchain against the true stack. */
#ifndef GT_COMPARE_H
#define GT_COMPARE_H

#include "unwind_dw.h"

enum verdict {
	WHOLE,		/* equal, and libdw reached the outermost frame */
	SHORT,		/* the callchain ended earlier */
	LIBDW_SHORT,	/* libdw ended earlier, and not at the outermost frame */
	BOTH_SHORT,	/* both ended at the same frame, which is not the outermost */
	PAST_END,	/* the callchain goes on behind the outermost frame */
	MISMATCH,	/* a frame differs */
	EXCUSED,	/* it does, at a place that is known (excuse.h) */
	VERDICTS
};

struct chain {
	const uint64_t *pcs;
	unsigned int count;
	unsigned int entries;	/* frames of all contexts, which the limit counts */
};

/* the user's part of a callchain with context markers */
struct chain chain_user(const uint64_t *entries, unsigned int count);

/**
 * chain_compare() - judge a callchain; EXCUSED is left to the caller
 * @ret_common: number of equal frames from the top
 */
enum verdict chain_compare(const struct chain *c, const struct unwound *u,
			   unsigned int *ret_common);

#endif /* GT_COMPARE_H */
