// SPDX-License-Identifier: GPL-2.0-only
/* Limits of CPU time: user/supply/tables/credit.h. */
#include "support.h"

#include "supply/tables/credit.h"

#define SECOND 1000000000ull

static void all_at_first(void **state)
{
	struct credit c = { 0 };

	assert_true(credit_left(&c, 5 * SECOND, 10, 4));
	assert_int_equal(c.ns, 10);
}

static void spent_and_grown(void **state)
{
	struct credit c = { 0 };

	credit_left(&c, SECOND, SECOND, 4);
	credit_spend(&c, SECOND);
	assert_false(credit_left(&c, SECOND, SECOND, 4));
	assert_true(credit_left(&c, SECOND + 4, SECOND, 4));
	assert_int_equal(c.ns, 1);
	credit_spend(&c, SECOND);
	assert_false(credit_left(&c, 4 * SECOND, SECOND, 4));
	/* a quarter of the time since the first call */
	assert_int_equal(c.ns, 1 - (int64_t)SECOND + (int64_t)(3 * SECOND - 4) / 4);
	assert_true(credit_left(&c, 6 * SECOND, SECOND, 4));
}

static void no_more_than_the_burst(void **state)
{
	struct credit c = { 0 };

	credit_left(&c, SECOND, 100, 1);
	credit_spend(&c, 30);
	assert_true(credit_left(&c, SECOND + 29, 100, 1));
	assert_int_equal(c.ns, 99);
	credit_left(&c, SECOND + 30, 100, 1);
	assert_int_equal(c.ns, 100);
	credit_left(&c, ~0ull, 100, 1);
	assert_int_equal(c.ns, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_at_first),
		cmocka_unit_test(spent_and_grown),
		cmocka_unit_test(no_more_than_the_burst),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
