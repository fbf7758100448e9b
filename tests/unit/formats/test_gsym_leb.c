// SPDX-License-Identifier: GPL-2.0-only
/* LEB128 numbers of GSYM files: each length, each sign, cut off, and too large. */
#include "support.h"

#include "formats/gsym/read.h"

/* @v in @n groups of 7 bits, with copies of the sign in the groups that it does not need. */
static unsigned int groups(uint8_t *to, int64_t v, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++, v >>= 7)
		to[i] = (uint8_t)((v & 0x7f) | (i + 1 < n ? 0x80 : 0));
	return n;
}

static unsigned int unsigned_groups(uint8_t *to, uint64_t v, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++, v >>= 7)
		to[i] = (uint8_t)((v & 0x7f) | (i + 1 < n ? 0x80 : 0));
	return n;
}

/* Number of groups that an unsigned number needs. */
static unsigned int need(uint64_t v)
{
	unsigned int n = 1;

	while (v >>= 7)
		n++;
	return n;
}

/* Number of groups that a signed number needs. */
static unsigned int need_signed(int64_t v)
{
	unsigned int n = 1;

	for (; v < -64 || v > 63; v >>= 7)
		n++;
	return n;
}

static void check_unsigned(uint64_t v)
{
	const uint8_t *p, *end;
	uint8_t bytes[11];
	unsigned int n, len;
	uint64_t got;

	for (n = need(v); n <= 10; n++) {
		unsigned_groups(bytes, v, n);
		/* the following bytes belong to another number */
		bytes[n] = 0xff;
		for (len = 0; len <= n + 1 && len <= sizeof(bytes); len++) {
			uint8_t *exact = malloc(len + !len);

			memcpy(exact, bytes, len);
			p = exact;
			end = exact + len;
			got = 0x5a5a;
			assert_int_equal(gsym_uleb(&p, end, &got), len >= n);
			assert_true(got == (len >= n ? v : 0x5a5a));
			assert_true(p == exact + (len >= n ? n : 0));
			free(exact);
		}
	}
}

static void check_signed(int64_t v)
{
	const uint8_t *p, *end;
	uint8_t bytes[11];
	unsigned int n, len;
	int64_t got;

	for (n = need_signed(v); n <= 10; n++) {
		groups(bytes, v, n);
		bytes[n] = 0xff;
		for (len = 0; len <= n + 1 && len <= sizeof(bytes); len++) {
			uint8_t *exact = malloc(len + !len);

			memcpy(exact, bytes, len);
			p = exact;
			end = exact + len;
			got = 0x5a5a;
			assert_int_equal(gsym_sleb(&p, end, &got), len >= n);
			assert_true(got == (len >= n ? v : 0x5a5a));
			assert_true(p == exact + (len >= n ? n : 0));
			free(exact);
		}
	}
}

static void each_length(void **state)
{
	unsigned int bit, d;

	for (bit = 0; bit < 64; bit++)
		for (d = 0; d < 3; d++) {
			check_unsigned((1ull << bit) - 1 + d);
			check_signed((int64_t)((1ull << bit) - 1 + d));
			check_signed((int64_t)-((1ull << bit) - 1 + d));
		}
	check_unsigned(UINT64_MAX);
	check_signed(INT64_MIN);
	check_signed(INT64_MAX);
}

/* The tenth group of a number has room for one bit and the sign; there is no eleventh group. */
static void more_than_64_bits(void **state)
{
	uint8_t bytes[12];
	const uint8_t *p;
	uint64_t u;
	int64_t s;
	unsigned int last;

	for (last = 0; last < 0x80; last++) {
		memset(bytes, 0x80, 9);
		bytes[9] = (uint8_t)last;
		p = bytes;
		assert_int_equal(gsym_uleb(&p, bytes + 10, &u), last < 2);
		p = bytes;
		assert_int_equal(gsym_sleb(&p, bytes + 10, &s), last == 0 || last == 0x7f);
	}
	memset(bytes, 0x80, 10);
	bytes[10] = 0;
	p = bytes;
	assert_false(gsym_uleb(&p, bytes + 11, &u));
	assert_false(gsym_sleb(&p, bytes + 11, &s));
	assert_true(p == bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_length),
		cmocka_unit_test(more_than_64_bits),
	};

	return cmocka_run_group_tests_name("gsym_leb", tests, NULL, NULL);
}
