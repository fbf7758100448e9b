/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times of samples. A profile adds equal samples up and has no times, so
 * readers of files that have times keep them here, for formats that show them
 * (export.h).
 */
#ifndef USTACK_USER_PROFILE_MOMENTS_H
#define USTACK_USER_PROFILE_MOMENTS_H

#include "profile/profile.h"

/*
 * Limit for moments, which take 400 MB then; later ones are left out and
 * counted.
 */
#define MOMENTS_MAX (1u << 24)

/**
 * struct moment - the time of a sample
 * @ns: nanoseconds, by the clock of the recording
 * @weight: value of the sample
 * @sample: index in the profile's @samples, for its stack and labels
 * @value: index of the value type of @weight
 */
struct moment {
	uint64_t ns;
	int64_t weight;
	uint32_t sample;
	uint32_t value;
};

/**
 * struct moments - the moments of a profile; all zero is empty
 * @at: the moments
 * @nr: number of entries in @at
 * @left_out: number of moments above MOMENTS_MAX
 */
struct moments {
	struct moment *at;
	size_t nr;
	uint64_t left_out;

	size_t room;	/* private */
};

void moments_release(struct moments *m);

/**
 * moments_add() - keep the time of a sample
 * @m: the moments of @p; NULL keeps nothing
 * @p: profile; the sample is the one that profile_add() counted last
 * @ns: time in nanoseconds
 * @value: index of the value type of @weight
 * @weight: value of the sample, not negative
 *
 * Return: 0 or -ENOMEM.
 */
int moments_add(struct moments *m, const struct profile *p, uint64_t ns, uint32_t value,
		int64_t weight);

/* Sorts by time. */
void moments_sort(struct moments *m);

#endif /* USTACK_USER_PROFILE_MOMENTS_H */
