/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparison of the kernel's callchain with the true stack. */
#ifndef GT_COMPARE_H
#define GT_COMPARE_H

#include "unwind_dw.h"

enum verdict {
	WHOLE,		/* equal, and libdw reached the outermost frame */
	SHORT,		/* the callchain ended earlier */
	LIBDW_SHORT,	/* libdw ended earlier, but not at the outermost frame */
	BOTH_SHORT,	/* both ended at the same frame, which is not the outermost */
	PAST_END,	/* the callchain continues after the outermost frame */
	MISMATCH,	/* a frame differs */
	EXCUSED,	/* a frame differs, at a known place (excuse.h) */
	VERDICTS
};

struct chain {
	const uint64_t *pcs;
	unsigned int count;
	/* number of frames of all contexts, which the kernel's limit counts */
	unsigned int entries;
};

/* the user part of a callchain with context markers */
struct chain chain_user(const uint64_t *entries, unsigned int count);

/**
 * chain_compare() - judge a callchain; the caller decides about EXCUSED
 */
enum verdict chain_compare(const struct chain *c, const struct unwound *u,
			   unsigned int *ret_common);

#endif /* GT_COMPARE_H */
