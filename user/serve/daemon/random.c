// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pseudorandom generator, and binomial distributions from it. thin.c uses it to keep a random
 * part of samples.
 */
#include "serve/daemon/random.h"

#include <math.h>

#include "util/poison.h"

/* From this mean on, rejection is faster than counting up. */
#define COUNT_UP 10
/* With more trials, the rounding of doubles would show in the result. */
#define MANY (INT64_C(1) << 40)

static uint64_t rotate(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

/* Fills the state by splitmix64, as the authors of xoshiro256++ advise. */
void random_seed(struct random *r, uint64_t seed)
{
	unsigned int i;
	uint64_t z;

	for (i = 0; i < 4; i++) {
		z = seed += 0x9e3779b97f4a7c15;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		r->state[i] = z ^ z >> 31;
	}
}

uint64_t random_u64(struct random *r)
{
	uint64_t *s = r->state, result = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

/* Return: a number of at least 0 and less than 1, uniformly distributed. */
static double uniform(struct random *r)
{
	return (double)(random_u64(r) >> 11) * 0x1p-53;
}

/* Draws by adding up the probabilities of 0, 1, 2, ... until they exceed a random number. */
static double count_up(struct random *r, double n, double p)
{
	double odds = p / (1 - p), f, u, k;

	for (;;) {
		f = exp(n * log1p(-p));
		u = uniform(r);
		for (k = 0; k <= n && u >= f; k++) {
			u -= f;
			f *= (n - k) / (k + 1) * odds;
		}
		/* else rounding has made the sum too small, which is very rare: draw again */
		if (k <= n)
			return k;
	}
}

/* ln(k!) - (k + 1/2) ln(k + 1) + k + 1 - ln(2 pi) / 2 */
static double stirling(double k)
{
	static const double first[] = {
		0.08106146679532726, 0.04134069595540929, 0.02767792568499834,
		0.02079067210376509, 0.01664469118982119, 0.01387612882307075,
		0.01189670994589177, 0.01041126526197209, 0.009255462182712733,
		0.008330563433362871,
	};
	double x = (k + 1) * (k + 1);

	if (k < 10)
		return first[(int)k];
	return (1. / 12 - (1. / 360 - 1. / 1260 / x) / x) / (k + 1);
}

/* Logarithm of the probability of @k divided by that of the most probable number @m. */
static double log_ratio(double n, double p, double m, double k)
{
	double odds = p / (1 - p);

	return (m + 0.5) * log((m + 1) / (odds * (n - m + 1))) +
	       (n + 1) * log((n - m + 1) / (n - k + 1)) +
	       (k + 0.5) * log(odds * (n - k + 1) / (k + 1)) + stirling(m) + stirling(n - m) -
	       stirling(k) - stirling(n - k);
}

/*
 * Draws by rejection: Hoermann, "The generation of binomial random variates", 1993, algorithm BTRS.
 */
static double reject(struct random *r, double n, double p)
{
	double deviation = sqrt(n * p * (1 - p));
	double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p;
	double alpha = (2.83 + 5.1 / b) * deviation, top = floor((n + 1) * p);
	double u, v, us, k;

	for (;;) {
		u = uniform(r) - 0.5;
		v = uniform(r);
		us = 0.5 - fabs(u);
		k = floor((2 * a / us + b) * u + n * p + 0.5);
		if (us >= 0.07 && v <= 0.92 - 4.2 / b)
			return k;
		if (!(k >= 0 && k <= n))
			continue;
		if (log(v * alpha / (a / (us * us) + b)) <= log_ratio(n, p, top, k))
			return k;
	}
}

int64_t random_binomial(struct random *r, int64_t n, double p)
{
	double x = (double)n, few = p < 0.5 ? p : 1 - p, k;

	if (n <= 0 || p <= 0)
		return 0;
	if (p >= 1)
		return n;
	if (n > MANY)
		return random_round(r, (long double)random_binomial(r, MANY, p) / MANY * n);
	k = x * few < COUNT_UP ? count_up(r, x, few) : reject(r, x, few);
	if (k >= x)
		return p < 0.5 ? n : 0;
	return p < 0.5 ? (int64_t)k : n - (int64_t)k;
}

int64_t random_round(struct random *r, long double x)
{
	long double whole = floorl(x);

	whole += uniform(r) < (double)(x - whole);
	if (whole >= 0x1p63L)
		return INT64_MAX;
	return whole < -0x1p63L ? INT64_MIN : (int64_t)whole;
}
