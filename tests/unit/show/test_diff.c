// SPDX-License-Identifier: GPL-2.0-only
/*
 * The statistics of a comparison: marks compared with a table of the normal distribution, and
 * how often unchanged functions are marked.
 */
#include "support.h"

#include <math.h>

#include "show/report/diff.h"

static struct diff_change change(bool absolute, int64_t c0, int64_t n0, int64_t c1, int64_t n1)
{
	const struct diff_view v = { .absolute = absolute, .counted = true };
	const struct diff_sums sums = { { n0 * 10, n1 * 10 }, { n0, n1 } };
	const int64_t value[2] = { c0 * 10, c1 * 10 }, samples[2] = { c0, c1 };

	return diff_change(&v, &sums, value, samples);
}

static void test_shares(void **state)
{
	struct diff_change c = change(false, 100, 1000, 150, 1000);

	(void)state;
	/* p = 0.125, standard error sqrt(0.125 * 0.875 * 0.002) = 0.014790 */
	assert_true(c.tested && fabs(c.z - 3.3806) < 0.0001);
	assert_string_equal(diff_mark(&c), "***");
	assert_true(fabs(c.change - 5) < 1e-9 && fabs(c.weight - 500) < 1e-6);
	c = change(false, 150, 1000, 100, 1000);
	assert_true(fabs(c.z + 3.3806) < 0.0001 && c.change < 0 && c.weight > 0);
	/* lengths do not matter */
	c = change(false, 100, 1000, 1000, 10000);
	assert_true(c.tested && fabs(c.z) < 1e-9);
	assert_string_equal(diff_mark(&c), "");
}

static void test_counts(void **state)
{
	struct diff_change c = change(true, 100, 1000, 144, 9000);

	(void)state;
	assert_true(c.tested && fabs(c.z - 44 / sqrt(244)) < 1e-9 && c.change == 440.0);
	assert_string_equal(diff_mark(&c), "**");
	assert_true(fabs(c.weight - 440.0 / 90000 * 10000) < 1e-9);
}

/* Too few samples on one side, values that are not counts, and nothing at all. */
static void test_untested(void **state)
{
	(void)state;
	assert_false(change(false, 0, 1000, 9, 1000).tested);
	assert_true(change(false, 0, 1000, 10, 1000).tested);
	assert_false(change(false, 1000, 1000, 991, 1000).tested);
	assert_false(change(false, 0, 0, 500, 1000).tested);
	assert_false(change(false, -10, 1000, 50, 1000).tested);
	assert_false(change(false, 2000, 1000, 50, 1000).tested);
	assert_false(change(true, 4, 1000, 5, 1000).tested);
	assert_false(change(true, -40, 1000, 500, 1000).tested);
	assert_false(change(true, 0, 0, 0, 0).tested);
	assert_true(isfinite(change(true, 0, 0, 0, 0).weight));
}

static void test_state(void **state)
{
	(void)state;
	assert_string_equal(diff_state((int64_t[]){ 0, 1 }), "new");
	assert_string_equal(diff_state((int64_t[]){ 1, 0 }), "gone");
	assert_string_equal(diff_state((int64_t[]){ 1, 1 }), "");
	assert_string_equal(diff_state((int64_t[]){ 0, 0 }), "");
}

static uint64_t random_state = 88172645463325252u;

static double uniform(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)(random_state >> 11) / (double)(1ull << 53);
}

static int64_t draw(unsigned int n, double p)
{
	int64_t hits = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		hits += uniform() < p;
	return hits;
}

/*
 * Two recordings of the same program: 4 to 6 of 100 rows have a mark, as the manual page says.
 */
static void test_chance(void **state)
{
	static const double shares[] = { 0.02, 0.1, 0.5 };
	unsigned int i, k, marked, sure;

	(void)state;
	for (k = 0; k < 3; k++) {
		marked = sure = 0;
		for (i = 0; i < 4000; i++) {
			struct diff_change c = change(false, draw(700, shares[k]), 700,
						      draw(1000, shares[k]), 1000);

			marked += *diff_mark(&c) != '\0';
			sure += diff_mark(&c)[0] && diff_mark(&c)[1] && diff_mark(&c)[2];
		}
		assert_in_range(marked, 160, 240);
		assert_in_range(sure, 0, 12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),	 cmocka_unit_test(test_counts),
		cmocka_unit_test(test_untested), cmocka_unit_test(test_state),
		cmocka_unit_test(test_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
