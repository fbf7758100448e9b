// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thinning, and its random numbers. Seeds are fixed, so every run is the same. The limits are
 * such that with random seeds all tests of this file together would fail less than once in
 * 1,000,000 runs: there are fewer than 100 chi-square and normal limits at 5.9 standard
 * deviations, which is 4e-9 on both sides, and 1,000 numbers with a limit of their own at 6.5,
 * which is 8e-11.
 */
#include "support.h"

#include <math.h>

#include "serve/daemon/random.h"
#include "serve/daemon/thin.h"

#define SIGMAS 5.9
#define HOUR_NS 3600000000000ull
#define WINDOW_NS 10000000000ull
#define WINDOWS_AN_HOUR 360

/*
 * The value that a chi-square of @df exceeds less than once in 5e8 (Wilson and Hilferty, 1931).
 */
static double chi_square_bound(double df)
{
	double part = 2 / (9 * df);

	return df * pow(1 - part + SIGMAS * sqrt(part), 3);
}

static double binomial(double n, double p, double k)
{
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
		   (n - k) * log1p(-p));
}

#define DRAWS 100000
#define MOST 2048

/* Cells with an expectation below 20 are joined with the next ones. */
static void check_cells(const uint32_t *got, int64_t n, double p)
{
	double sum = 0, want = 0, all = 0;
	uint32_t have = 0;
	int64_t k, cells = 0;

	for (k = 0; k <= n; k++) {
		want += DRAWS * binomial((double)n, p, (double)k);
		have += got[k];
		/* the last cell takes the rest */
		if (want < 20 || DRAWS - all - want < 20)
			continue;
		sum += (have - want) * (have - want) / want;
		all += want;
		want = have = 0;
		cells++;
	}
	if (want > 0) {
		want = DRAWS - all;
		sum += (have - want) * (have - want) / want;
		cells++;
	}
	if (cells > 1 && sum > chi_square_bound((double)cells - 1))
		fail_msg("n %ld, p %g: %g in %ld cells", (long)n, p, sum, (long)cells);
}

/* Both algorithms of drawing, and both sides of 1/2. */
static void test_binomial(void **state)
{
	static const struct {
		int64_t n;
		double p;
	} cases[] = {
		{ 1, 0.5 }, { 1, 0.01 }, { 2, 0.3 }, { 7, 0.9 }, { 20, 0.2 }, { 19, 0.5 },
		{ 20, 0.5 }, { 21, 0.5 }, { 99, 0.1 }, { 101, 0.1 }, { 100, 0.95 },
		{ 1000, 0.009 }, { 1000, 0.011 }, { 1000, 0.3 }, { 2000, 0.7 },
		{ 2000, 0.999 },
	};
	static uint32_t got[MOST];
	struct random r;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		random_seed(&r, i);
		memset(got, 0, sizeof(got));
		for (k = 0; k < DRAWS; k++) {
			int64_t v = random_binomial(&r, cases[i].n, cases[i].p);

			assert_true(v >= 0 && v <= cases[i].n);
			got[v]++;
		}
		check_cells(got, cases[i].n, cases[i].p);
	}
}

/* Mean and variance of numbers that are too large for an array of counts. */
static void test_binomial_large(void **state)
{
	static const int64_t n[] = { 1000000, 1000000000, 1000000000000 };
	static const double p[] = { 1e-5, 0.25, 0.9 };
	struct random r;
	size_t i, k, m;

	for (i = 0; i < ARRAY_SIZE(n); i++)
		for (k = 0; k < ARRAY_SIZE(p); k++) {
			double mean = (double)n[i] * p[k], deviation = sqrt(mean * (1 - p[k]));
			double sum = 0, squares = 0;

			random_seed(&r, 3 * i + k);
			for (m = 0; m < 10000; m++) {
				int64_t v = random_binomial(&r, n[i], p[k]);
				double z = ((double)v - mean) / deviation;

				assert_true(v >= 0 && v <= n[i]);
				sum += z;
				squares += z * z;
			}
			/*
			 * for 10,000 values of the normal distribution: 1/100, and sqrt(2)/100
			 */
			assert_true(fabs(sum / 10000) < SIGMAS / 100);
			assert_true(fabs(squares / 10000 - 1) < SIGMAS * M_SQRT2 / 100);
		}
	random_seed(&r, 0);
	for (m = 0; m < 1000; m++) {
		double part = (double)random_binomial(&r, INT64_MAX, 0.25) / 0x1p63;

		assert_true(fabs(part - 0.25) < 6.5 * sqrt(0.25 * 0.75 / 0x1p40));
	}
	assert_int_equal(random_binomial(&r, 5, 0), 0);
	assert_int_equal(random_binomial(&r, 5, 1), 5);
	assert_int_equal(random_binomial(&r, 0, 0.5), 0);
	assert_int_equal(random_binomial(&r, -5, 0.5), 0);
	assert_int_equal(random_binomial(&r, INT64_MAX, 1), INT64_MAX);
}

/*
 * The first numbers of xoshiro256++ from a state of 1, 2, 3, 4: equal to those of rand_xoshiro.
 */
static void test_generator(void **state)
{
	static const uint64_t want[] = {
		41943041, 58720359, 3588806011781223, 3591011842654386,
		9228616714210784205ull, 9973669472204895162ull,
	};
	struct random r = { { 1, 2, 3, 4 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(want); i++)
		assert_true(random_u64(&r) == want[i]);
	/* splitmix64 of 0 */
	random_seed(&r, 0);
	assert_true(r.state[0] == 0xe220a8397b1dcdaf && r.state[1] == 0x6e789e6aa1b965f4);
}

static void test_round(void **state)
{
	struct random r;
	double sum = 0;
	int i;

	random_seed(&r, 1);
	for (i = 0; i < 100000; i++) {
		int64_t v = random_round(&r, 7.25L);

		assert_true(v == 7 || v == 8);
		sum += (double)v;
	}
	assert_true(fabs(sum / 100000 - 7.25) < SIGMAS * sqrt(0.25 * 0.75 / 100000));
	assert_int_equal(random_round(&r, 5), 5);
	assert_int_equal(random_round(&r, -5), -5);
	assert_true(random_round(&r, 1e30L) == INT64_MAX);
	assert_true(random_round(&r, -1e30L) == INT64_MIN);
}

static struct thin *thin_of(uint64_t by_default, const char *name, uint64_t samples)
{
	struct config_target target = { .name = (char *)name, .samples = samples };
	struct config_thinning config = {
		.label = (char *)"unit", .by_default = by_default, .target = &target, .nr = !!name,
	};
	struct thin *t;

	assert_int_equal(thin_new(&config, &t), 0);
	assert_string_equal(thin_label(t), "unit");
	return t;
}

/* One sample of @n, with a weight. Return: number of kept samples. */
static int64_t give(struct thin *t, const char *name, int64_t n, int64_t *weight)
{
	int64_t value[2] = { *weight, n };

	if (!thin_values(t, thin_service(t, name), value, 2, 1))
		return *weight = 0;
	*weight = value[0];
	return value[1];
}

/* Without a target, and below it, nothing changes. */
static void test_nothing(void **state)
{
	struct thin *t = thin_of(0, "a", 1000);
	struct thin_counts c;
	int64_t weight;
	int i;

	for (i = 0; i < 2 * WINDOWS_AN_HOUR; i++) {
		thin_begin(t, WINDOW_NS, (uint64_t)i);
		assert_int_equal(thin_service(t, "b"), 0);
		weight = INT64_MAX;
		assert_int_equal(give(t, "b", 1000000, &weight), 1000000);
		assert_true(weight == INT64_MAX);
		weight = 123456789;
		assert_int_equal(give(t, "a", 2, &weight), 2);
		assert_int_equal(weight, 123456789);
		thin_end(t);
	}
	thin_counts(t, &c);
	assert_int_equal(c.samples, 4 * WINDOWS_AN_HOUR);
	assert_int_equal(c.kept, c.samples);
	assert_int_equal(c.services, 1);
	assert_int_equal(c.unknown, 0);
	thin_free(t);
	thin_free(NULL);
}

/**
 * struct hour - the result of an hour
 * @kept: number of kept samples
 * @weight: sum of their weights
 * @variance: allowed variance of that sum
 * @changes: number of changes of the share
 */
struct hour {
	double kept;
	double weight;
	double variance;
	unsigned int changes;
};

/* An hour of a service: 20 stacks of different counts in each window, 1,000 ns per sample. */
static struct hour an_hour(struct thin *t, int64_t per_stack, uint64_t seed)
{
	struct hour h = { 0 };
	double share, before = -1;
	int64_t weight, n;
	int i, k;

	for (i = 0; i < WINDOWS_AN_HOUR; i++) {
		thin_begin(t, WINDOW_NS, seed * 1000 + (uint64_t)i);
		share = thin_share(t, thin_service(t, "a"));
		h.changes += before >= 0 && share != before;
		before = share;
		for (k = 0; k < 20; k++) {
			n = per_stack * (k % 4 + 1) * 2 / 5;
			weight = n * 1000;
			h.variance += (double)n * 1e6 * (1 - share) / share + 0.25;
			h.kept += (double)give(t, "a", n, &weight);
			h.weight += (double)weight;
		}
		thin_end(t);
	}
	return h;
}

/* A steady service with ten times its target: totals stay, and the target is reached. */
static void test_steady(void **state)
{
	struct thin *t = thin_of(0, "a", 7200);
	double all = WINDOWS_AN_HOUR * 20. * 10, sum = 0, variance = 0;
	struct hour h;
	int i;

	for (i = 0; i < 6; i++) {
		h = an_hour(t, 10, (uint64_t)i);
		sum += h.weight;
		variance += h.variance;
		/* from the second hour on the share stays constant, at the needed value */
		if (!i) {
			assert_true(h.kept > 7200 && h.kept < 2 * 7200);
			continue;
		}
		assert_int_equal(h.changes, 0);
		assert_true(h.kept > 7200 * 0.9 - SIGMAS * sqrt(7200));
		assert_true(h.kept < 7200 / 0.9 + SIGMAS * sqrt(7200 / 0.9));
	}
	assert_true(fabs(sum - 6 * all * 1000) < SIGMAS * sqrt(variance));
	/* and the limit is meaningful: 4 % */
	assert_true(SIGMAS * sqrt(variance) < 6 * all * 1000 * 0.04);
	thin_free(t);
}

/* At a hundred times its target: the first hour keeps less than three times the target. */
static void test_beginning(void **state)
{
	struct thin *t = thin_of(1000, NULL, 0);
	struct hour h = an_hour(t, 14, 5);

	assert_true(h.kept > 1000 && h.kept < 3000);
	thin_free(t);
}

/* A service that becomes quiet keeps all samples again, and is removed from the table later. */
static void test_quiet(void **state)
{
	struct thin *t = thin_of(1000, NULL, 0);
	struct thin_counts c;
	int64_t weight;
	int i;

	an_hour(t, 10, 7);
	assert_true(thin_share(t, thin_service(t, "a")) < 0.2);
	for (i = 0; i < 2 * WINDOWS_AN_HOUR; i++) {
		thin_begin(t, WINDOW_NS, (uint64_t)i);
		weight = 77;
		if (i > WINDOWS_AN_HOUR * 3 / 2)
			assert_int_equal(give(t, "a", 1, &weight), 1);
		thin_end(t);
	}
	assert_true(thin_share(t, thin_service(t, "a")) == 1);
	for (i = 0; i < 4 * WINDOWS_AN_HOUR; i++) {
		thin_begin(t, WINDOW_NS, 0);
		thin_end(t);
	}
	thin_counts(t, &c);
	assert_int_equal(c.services, 0);
	thin_free(t);
}

/* Windows of any length count by their time; one of length 0 does no harm. */
static void test_duration(void **state)
{
	struct thin *one = thin_of(1000, NULL, 0), *many = thin_of(1000, NULL, 0);
	int64_t weight;
	double a, b;
	int i;

	thin_begin(one, HOUR_NS, 0);
	weight = 1;
	give(one, "a", 100000, &weight);
	thin_end(one);
	for (i = 0; i < 3600; i++) {
		thin_begin(many, HOUR_NS / 3600, 0);
		weight = 1;
		if (i % 36 == 0)
			give(many, "a", 1000, &weight);
		thin_end(many);
	}
	a = thin_share(one, thin_service(one, "a"));
	b = thin_share(many, thin_service(many, "a"));
	assert_true(a > 0.009 && a < 0.0112);
	assert_true(fabs(a - b) < 0.15 * a);
	thin_begin(one, 0, 0);
	give(one, "a", 1, &weight);
	thin_end(one);
	assert_true(thin_share(one, thin_service(one, "a")) > 0);
	thin_free(one);
	thin_free(many);
}

/* The same seed keeps the same samples, another one keeps others. */
static void test_seed(void **state)
{
	struct thin *a = thin_of(1000, NULL, 0), *b = thin_of(1000, NULL, 0);
	struct hour x = an_hour(a, 10, 1), y = an_hour(b, 10, 1);

	assert_true(x.kept == y.kept && x.weight == y.weight);
	x = an_hour(a, 10, 2);
	y = an_hour(b, 10, 3);
	assert_false(x.kept == y.kept && x.weight == y.weight);
	thin_free(a);
	thin_free(b);
}

/* Any number of names: the largest stay known, and memory is bounded. */
static void test_many(void **state)
{
	struct thin *t = thin_of(1000, NULL, 0);
	struct thin_counts c;
	char name[32];
	int64_t weight;
	int i, k;

	for (i = 0; i < 50; i++) {
		thin_begin(t, WINDOW_NS, (uint64_t)i);
		for (k = 0; k < 3000; k++) {
			weight = 1;
			snprintf(name, sizeof(name), "%d-%d", i, k);
			give(t, name, 1, &weight);
		}
		weight = 1;
		give(t, "large", 1000, &weight);
		thin_end(t);
		thin_counts(t, &c);
		assert_in_range(c.services, 1, THIN_MAX_SERVICES);
	}
	assert_true(c.unknown > 0);
	assert_true(thin_share(t, thin_service(t, "large")) < 0.1);
	thin_free(t);
}

/* Profiles without a number of samples are not changed. */
static void test_no_number(void **state)
{
	struct thin *t = thin_of(1, "a", 1);
	int64_t value[2] = { 5, 0 };

	an_hour(t, 10, 1);
	thin_begin(t, WINDOW_NS, 0);
	assert_true(thin_values(t, thin_service(t, "a"), value, 2, 1));
	assert_true(thin_values(t, thin_service(t, "a"), value, 2, PROFILE_MAX_VALUES));
	value[1] = -1;
	assert_true(thin_values(t, thin_service(t, "a"), value, 2, 1));
	assert_int_equal(value[0], 5);
	assert_int_equal(value[1], -1);
	thin_end(t);
	thin_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generator),
		cmocka_unit_test(test_binomial),
		cmocka_unit_test(test_binomial_large),
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_steady),
		cmocka_unit_test(test_beginning),
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
