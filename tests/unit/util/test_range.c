// SPDX-License-Identifier: GPL-2.0-only
/* Ranges of addresses, compared with a map of single addresses. */
#include "support.h"

#include "util/range.h"

enum { NR = 24, ADDRESSES = 256 };

static void order_is_by_start_then_end(void **state)
{
	const struct range a = { 5, 9 }, longer = { 5, 10 }, later = { 6, 7 };
	const struct range high = { UINT64_MAX - 1, UINT64_MAX }, low = { 0, UINT64_MAX };

	assert_int_equal(range_compare(&a, &a), 0);
	assert_int_equal(range_compare(&a, &longer), -1);
	assert_int_equal(range_compare(&longer, &a), 1);
	assert_int_equal(range_compare(&longer, &later), -1);
	assert_int_equal(range_compare(&later, &longer), 1);
	/* differences that do not fit an int */
	assert_int_equal(range_compare(&low, &high), -1);
	assert_int_equal(range_compare(&high, &low), 1);
}

static void what_touches_or_overlaps_is_joined(void **state)
{
	struct range r[] = {
		{ 40, 50 }, { 10, 20 }, { 20, 25 }, { 12, 14 }, { 45, 60 }, { 61, 62 },
	};

	assert_int_equal(ranges_join(r, 6), 3);
	assert_int_equal(r[0].start, 10);
	assert_int_equal(r[0].end, 25);
	assert_int_equal(r[1].start, 40);
	assert_int_equal(r[1].end, 60);
	assert_int_equal(r[2].start, 61);
	assert_int_equal(r[2].end, 62);
}

static void none_is_fine(void **state)
{
	assert_int_equal(ranges_join(NULL, 0), 0);
	assert_null(ranges_find(NULL, 0, 0));
}

static void ends_are_found_exactly(void **state)
{
	const struct range r[] = { { 0, 1 }, { 10, 20 }, { 30, UINT64_MAX } };

	assert_ptr_equal(ranges_find(r, 3, 0), &r[0]);
	assert_null(ranges_find(r, 3, 1));
	assert_null(ranges_find(r, 3, 9));
	assert_ptr_equal(ranges_find(r, 3, 10), &r[1]);
	assert_ptr_equal(ranges_find(r, 3, 19), &r[1]);
	assert_null(ranges_find(r, 3, 20));
	assert_ptr_equal(ranges_find(r, 3, UINT64_MAX - 1), &r[2]);
	assert_null(ranges_find(r, 3, UINT64_MAX));
	assert_int_equal(ranges_ending_after(r, 3, 0), 0);
	assert_int_equal(ranges_ending_after(r, 3, 1), 1);
	assert_int_equal(ranges_ending_after(r, 3, 19), 1);
	assert_int_equal(ranges_ending_after(r, 3, 20), 2);
	assert_int_equal(ranges_ending_after(r, 3, UINT64_MAX), 3);
}

static u32 next(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static void joined_ones_have_what_all_had(void **state)
{
	struct range r[NR];
	bool had[ADDRESSES];
	u32 seed = 1, round, i, a;
	size_t nr;

	for (round = 0; round < 2000; round++) {
		memset(had, 0, sizeof(had));
		for (i = 0; i < 1 + round % NR; i++) {
			r[i].start = next(&seed) % (ADDRESSES - 16);
			r[i].end = r[i].start + 1 + next(&seed) % 16;
			memset(had + r[i].start, 1, r[i].end - r[i].start);
		}
		nr = ranges_join(r, i);
		assert_true(nr >= 1 && nr <= i);
		for (i = 1; i < nr; i++)
			assert_true(r[i - 1].end < r[i].start);
		for (a = 0; a < ADDRESSES; a++)
			assert_int_equal(ranges_find(r, nr, a) != NULL, had[a]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_is_by_start_then_end),
		cmocka_unit_test(what_touches_or_overlaps_is_joined),
		cmocka_unit_test(none_is_fine),
		cmocka_unit_test(ends_are_found_exactly),
		cmocka_unit_test(joined_ones_have_what_all_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
