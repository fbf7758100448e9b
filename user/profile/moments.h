/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When samples were taken: a profile adds equal ones up and knows no times, so they are kept beside
 * it, by who reads files that have them, for forms that show them (export.h).
 */
#ifndef USTACK_USER_PROFILE_MOMENTS_H
#define USTACK_USER_PROFILE_MOMENTS_H

#include "profile/profile.h"

/* Moments that are kept, 400 MB of them; those that come later are left out and counted. */
#define MOMENTS_MAX (1u << 24)

/**
 * struct moment - a sample
 * @ns: when, by the clock of the recording
 * @weight: of @value
 * @sample: index in the profile's @samples: its stack and labels
 * @value: index of the value type that @weight is of
 */
struct moment {
	uint64_t ns;
	int64_t weight;
	uint32_t sample;
	uint32_t value;
};

/**
 * struct moments - of a profile; all zeros is none
 * @at: @nr of them
 * @nr: of @at
 * @left_out: above MOMENTS_MAX
 */
struct moments {
	struct moment *at;
	size_t nr;
	uint64_t left_out;

	size_t room;	/* private */
};

void moments_release(struct moments *m);

/**
 * moments_add() - keep when a sample was taken
 * @m: the moments of @p; NULL keeps nothing
 * @p: profile_add() has counted the sample, and nothing since
 * @ns: when
 * @value: index of the value type of its weight
 * @weight: not negative
 *
 * Return: 0 or -ENOMEM.
 */
int moments_add(struct moments *m, const struct profile *p, uint64_t ns, uint32_t value,
		int64_t weight);

/* In ascending order of time. */
void moments_sort(struct moments *m);

#endif /* USTACK_USER_PROFILE_MOMENTS_H */
