/* SPDX-License-Identifier: GPL-2.0-only */
/* The report at the end, and the exit status. */
#ifndef GT_REPORT_H
#define GT_REPORT_H

#include "judge.h"

/* counts of the record's contents, whatever the verdicts */
struct totals {
	uint64_t samples;
	uint64_t no_user;	/* samples without registers: tasks without user memory */
	uint64_t foreign;	/* samples of 32-bit tasks */
	uint64_t no_space;	/* samples without a known mapping */
	uint64_t unjudged;	/* samples that the record excludes */
	uint64_t lost;
	uint64_t lost_side;
	uint64_t throttled;
	uint64_t reasons;
	uint64_t unpaired;
	uint64_t odd_reasons;	/* reasons whose number of frames does not match */
	struct tally stops;
};

void report_print(const struct options *o, struct reader *r, struct totals *t,
		  struct judged *j);

/* prints the requirements that were missed; true if there are none */
bool report_passed(const struct options *o, const struct judged *j);

#endif /* GT_REPORT_H */
