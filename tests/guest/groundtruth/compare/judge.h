/* SPDX-License-Identifier: GPL-2.0-only */
/* The verdict on each sample's callchain, and the sums of the verdicts. */
#ifndef GT_JUDGE_H
#define GT_JUDGE_H

#include "options.h"
#include "subject.h"
#include "tally.h"

struct judged {
	uint64_t compared;
	uint64_t verdicts[VERDICTS];
	uint64_t frames;	/* equal frames, including the top one of each sample */
	uint64_t callers;	/* equal frames without the top one: those that were unwound */
	uint64_t wrong_frames;
	uint64_t ends[DW_ENDS];
	uint64_t sigframes;
	struct tally shorts;
	struct tally libdw_shorts;
	/* mismatches by excuse, and by the frame whose step differs */
	struct tally mismatches;
};

void judge_sample(struct judged *j, const struct options *o, const struct subject *x);
void judge_release(struct judged *j);

#endif /* GT_JUDGE_H */
