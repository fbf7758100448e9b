/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers for statistics: xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom
 * number generators", 2021). The same seed gives the same numbers. They are predictable, so do not
 * use them for secrets.
 */
#ifndef USTACK_USER_DAEMON_RANDOM_H
#define USTACK_USER_DAEMON_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state[4];
};

void random_seed(struct random *r, uint64_t seed);

uint64_t random_u64(struct random *r);

/**
 * random_binomial() - draw the number of successes of @n trials
 * @r: the generator
 * @n: number of trials, at least 0
 * @p: probability of a success, 0 to 1
 *
 * It takes about the same time for any @n. Beyond 2^40 trials the mean is right, but the relative
 * variance is that of 2^40 trials.
 *
 * Return: 0 to @n.
 */
int64_t random_binomial(struct random *r, int64_t n, double p);

/* Rounds @x up or down at random, so that the mean is @x. The result is clamped to int64_t. */
int64_t random_round(struct random *r, long double x);

#endif /* USTACK_USER_DAEMON_RANDOM_H */
