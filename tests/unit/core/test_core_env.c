// SPDX-License-Identifier: GPL-2.0-only
/*
 * core_env.h as used in programs: loops with a limit, loads at any address, the first set bit.
 */
#include "support.h"

struct rounds {
	u32 nr;
	u32 ends_at;
	bool in_order;
};

static long one_round(u32 i, void *to)
{
	struct rounds *r = to;

	r->in_order &= i == r->nr;
	r->nr++;
	return i == r->ends_at;
}

static u32 rounds_of(u32 ends_at)
{
	struct rounds r = { .ends_at = ends_at, .in_order = true };

	ustack_repeat(8, one_round, &r);
	assert_true(r.in_order);
	return r.nr;
}

/*
 * Works as bpf_loop() of eBPF: the numbers from 0 on, until a round says that it was the last.
 */
static void a_loop_has_no_more_rounds_than_its_bound(void **state)
{
	struct rounds none = { 0 };
	u32 last;

	for (last = 0; last < 8; last++)
		assert_int_equal(rounds_of(last), last + 1);
	assert_int_equal(rounds_of(8), 8);
	assert_int_equal(rounds_of(100), 8);
	ustack_repeat(0, one_round, &none);
	assert_int_equal(none.nr, 0);
}

static void loads_at_any_address(void **state)
{
	u8 bytes[16];
	u32 i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (u8)(0xf0 + i);
	for (i = 0; i < 8; i++) {
		assert_int_equal(ustack_le16(bytes + i), 0xf1f0 + 0x0101 * i);
		assert_int_equal(ustack_le32(bytes + i), 0xf3f2f1f0u + 0x01010101u * i);
		assert_true(ustack_le64(bytes + i) ==
			    0xf7f6f5f4f3f2f1f0ull + 0x0101010101010101ull * i);
	}
}

static void the_first_byte_with_a_high_bit(void **state)
{
	u64 high;
	u32 first, rest;

	for (first = 0; first < 8; first++)
		for (rest = 0; rest < 256; rest++) {
			high = 0x80ull << 8 * first;
			if (first < 7)
				high |= (rest * 0x0101010101010101ull & 0x8080808080808080ull)
					<< 8 * (first + 1);
			assert_int_equal(ustack_first_byte(high), first);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_has_no_more_rounds_than_its_bound),
		cmocka_unit_test(loads_at_any_address),
		cmocka_unit_test(the_first_byte_with_a_high_bit),
	};

	return cmocka_run_group_tests_name("core_env", tests, NULL, NULL);
}
