/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that the frame-pointer walk of fp_walk.h does what the kernel does. In a record made
 * without the module the callchains are the kernel's own, and must be equal. A walk that leaves
 * the copied stack is compared up to that point.
 */
#ifndef GT_FP_CHECK_H
#define GT_FP_CHECK_H

#include "fp_walk.h"
#include "subject.h"
#include "tally.h"

struct fp_check {
	uint64_t equal;
	uint64_t so_far;	/* walks that left the copy and were equal until then */
	struct tally different;	/* different walks by the sampled address */
	uint64_t differ;
};

/* the walk that the kernel would have done for this sample */
void fp_walk_subject(const struct subject *x, struct fp_chain *ret);

void fp_check_sample(struct fp_check *f, const struct subject *x);
void fp_check_print(const struct fp_check *f, unsigned int places);
bool fp_check_passed(const struct fp_check *f);

#endif /* GT_FP_CHECK_H */
