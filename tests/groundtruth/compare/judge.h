/* SPDX-License-Identifier: GPL-2.0-only */
/* The verdict on each sample's callchain, and the sums of them. */
#ifndef GT_JUDGE_H
#define GT_JUDGE_H

#include "options.h"
#include "subject.h"
#include "tally.h"

struct judged {
	uint64_t compared;
	uint64_t verdicts[VERDICTS];
	uint64_t frames;	/* equal, the top one of each sample included */
	uint64_t callers;	/* equal, without it: the ones that were unwound */
	uint64_t wrong_frames;
	uint64_t ends[DW_ENDS];
	uint64_t sigframes;
	struct tally shorts;
	struct tally libdw_shorts;
	struct tally mismatches;	/* by excuse, and the frame whose step differs */
};

void judge_sample(struct judged *j, const struct options *o, const struct subject *x);
void judge_release(struct judged *j);

#endif /* GT_JUDGE_H */
