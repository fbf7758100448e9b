/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers for statistics, the same ones for the same seed: xoshiro256++ (Blackman and
 * Vigna, "Scrambled linear pseudorandom number generators", 2021). Nobody who wants to may
 * not foresee them: they are for no secret.
 */
#ifndef USTACK_USER_DAEMON_RANDOM_H
#define USTACK_USER_DAEMON_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state[4];
};

void random_seed(struct random *r, uint64_t seed);

uint64_t random_u64(struct random *r);

/* At least 0, less than 1. */
double random_double(struct random *r);

/**
 * random_binomial() - how many of so many happen
 * @r: changes
 * @n: at least 0
 * @p: that one happens: 0 to 1
 *
 * Takes about the same time for any @n. Beyond 2^40 the mean is right, and the variance that
 * of 2^40.
 *
 * Return: 0 to @n.
 */
int64_t random_binomial(struct random *r, int64_t n, double p);

/* One of the two whole numbers around @x, which it is in the mean. Within int64_t. */
int64_t random_round(struct random *r, long double x);

#endif /* USTACK_USER_DAEMON_RANDOM_H */
