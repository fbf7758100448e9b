/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the stacks of a profile end: what report and flame show of it. */
#ifndef USTACK_USER_REPORT_REASONS_H
#define USTACK_USER_REPORT_REASONS_H

#include "profile/profile.h"

/* More than reason.def has; further ones count in the sum alone. */
#define REPORT_MAX_REASONS 40

/**
 * struct report_reason - how much ended for one reason
 * @name: text of label PROFILE_LABEL_STACK
 * @value: sum
 */
struct report_reason {
	const char *name;
	int64_t value;
};

/**
 * report_reasons() - sum up why stacks end
 * @p: the profile
 * @value: index of the value type
 * @keep: whether a sample is counted, with @arg; NULL for all
 * @ret: the largest first
 * @all: sum of what says so, whether or not its reason is in @ret
 *
 * Return: elements of @ret.
 */
unsigned int report_reasons(const struct profile *p, uint32_t value,
			    bool (*keep)(const struct profile *p,
					 const struct profile_sample *s, void *arg),
			    void *arg, struct report_reason ret[REPORT_MAX_REASONS],
			    int64_t *all);

#endif /* USTACK_USER_REPORT_REASONS_H */
