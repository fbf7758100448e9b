/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums up why the stacks of a profile end, for report and flame. */
#ifndef USTACK_USER_REPORT_REASONS_H
#define USTACK_USER_REPORT_REASONS_H

#include "profile/profile.h"

/* More than reason.def has; further reasons count only in the sum. */
#define REPORT_MAX_REASONS 40

/**
 * struct report_reason - how many stacks ended for one reason
 * @name: text of label PROFILE_LABEL_STACK
 * @value: sum of their values
 */
struct report_reason {
	const char *name;
	int64_t value;
};

/**
 * report_reasons() - sum up why stacks end
 * @p: the profile
 * @value: index of the value type
 * @keep: returns whether a sample is counted, gets @arg; NULL for all
 * @arg: passed to @keep
 * @ret: reasons, the largest first
 * @all: sum of all samples with a reason, also those whose reason is not in
 *	@ret
 *
 * Return: number of entries in @ret.
 */
unsigned int report_reasons(const struct profile *p, uint32_t value,
			    bool (*keep)(const struct profile *p,
					 const struct profile_sample *s, void *arg),
			    void *arg, struct report_reason ret[REPORT_MAX_REASONS],
			    int64_t *all);

#endif /* USTACK_USER_REPORT_REASONS_H */
