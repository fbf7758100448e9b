// SPDX-License-Identifier: GPL-2.0-only
/*
 * LEB128 numbers in untrusted bytes: each length, padded, cut off, too large; and the state
 * after a failure. Texts with their length as such a number before them.
 */
#include "support.h"

#include "util/buffer.h"
#include "util/cursor.h"

/*
 * @v in @n groups of 7 bits, with zeros, or copies of the sign, in the groups that it does not
 * need.
 */
static void groups(uint8_t *to, int64_t v, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++, v >>= 7)
		to[i] = (uint8_t)((v & 0x7f) | (i + 1 < n ? 0x80 : 0));
}

static void unsigned_groups(uint8_t *to, uint64_t v, unsigned int n)
{
	groups(to, (int64_t)(v & INT64_MAX), n);
	/* bit 63 is the lowest of the tenth group */
	if (v >> 63)
		to[9] |= 1;
}

/*
 * @n bytes at @bytes are @v; fewer are cut off; the following bytes belong to another number.
 */
static void check(const uint8_t *bytes, unsigned int n, uint64_t v, bool sign)
{
	unsigned int len;

	for (len = 0; len <= n; len++) {
		uint8_t *exact = malloc(len + !len);
		struct cursor c = cursor_over(exact, len);
		uint64_t got;

		memcpy(exact, bytes, len);
		got = sign ? (uint64_t)cursor_sleb(&c) : cursor_uleb(&c);
		assert_int_equal(c.bad, len < n);
		assert_true(got == (len < n ? 0 : v));
		assert_int_equal(cursor_left(&c), 0);
		free(exact);
	}
}

static void check_all(uint64_t v)
{
	uint8_t bytes[16];
	unsigned int n;

	for (n = uleb_len(v); n <= 13; n++) {
		unsigned_groups(bytes, v, n);
		check(bytes, n, v, false);
	}
	for (n = sleb_len((int64_t)v); n <= 13; n++) {
		groups(bytes, (int64_t)v, n);
		check(bytes, n, v, true);
	}
}

static void each_length(void **state)
{
	unsigned int bit, d;

	for (bit = 0; bit < 64; bit++)
		for (d = 0; d < 3; d++) {
			check_all((1ull << bit) - 1 + d);
			check_all(-((1ull << bit) - 1 + d));
		}
}

static void more_than_64_bits(void **state)
{
	unsigned int last, pad;
	uint8_t bytes[13];

	for (last = 0; last < 0x80; last++)
		for (pad = 0; pad < 3; pad++) {
			struct cursor c = cursor_over(bytes, 10 + pad), s = c;

			memset(bytes, 0x80, sizeof(bytes));
			bytes[9 + pad] = (uint8_t)last;
			cursor_uleb(&c);
			assert_int_equal(c.bad, last > (pad ? 0 : 1));
			cursor_sleb(&s);
			/* the bits below the last group are zeros */
			assert_int_equal(s.bad, pad ? last != 0 : last != 0 && last != 0x7f);
		}
}

static void a_varint_is_not_padded_beyond_ten(void **state)
{
	static const uint8_t ten[] = { 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0 };
	static const uint8_t more[] = { 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					0 };
	struct cursor c = cursor_over(ten, sizeof(ten));

	assert_int_equal(cursor_varint(&c), 1);
	assert_false(c.bad);
	c = cursor_over(more, sizeof(more));
	assert_int_equal(cursor_varint(&c), 0);
	assert_true(c.bad);
	c = cursor_over(more, sizeof(more));
	assert_int_equal(cursor_uleb(&c), 1);
	assert_false(c.bad);
}

static void nothing_is_read_after_a_failure(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3 };
	struct cursor c = cursor_over(bytes, sizeof(bytes));

	assert_ptr_equal(cursor_take(&c, 1), bytes);
	assert_null(cursor_take(&c, 3));
	assert_true(c.bad);
	assert_int_equal(cursor_left(&c), 0);
	assert_int_equal(cursor_u8(&c), 0);
	assert_null(cursor_take(&c, 0));
	c = cursor_over(NULL, 0);
	assert_int_equal(cursor_u32(&c), 0);
	assert_true(c.bad);
}

/* 127 is the largest length that one byte has */
static void a_text_follows_its_length(void **state)
{
	char text[129] = "";
	struct buffer b = { 0 };

	memset(text, 'x', 127);
	buffer_counted_text(&b, text);
	assert_int_equal(b.len, 1 + 127);
	assert_int_equal(b.at[0], 127);
	assert_memory_equal(b.at + 1, text, 127);
	buffer_clear(&b);
	text[127] = 'y';
	buffer_counted_text(&b, text);
	assert_int_equal(b.len, 2 + 128);
	assert_memory_equal(b.at, "\x80\x01", 2);
	assert_memory_equal(b.at + 2, text, 128);
	buffer_clear(&b);
	buffer_counted_text(&b, "");
	assert_int_equal(b.len, 1);
	assert_int_equal(b.at[0], 0);
	buffer_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_length),
		cmocka_unit_test(more_than_64_bits),
		cmocka_unit_test(a_varint_is_not_padded_beyond_ten),
		cmocka_unit_test(nothing_is_read_after_a_failure),
		cmocka_unit_test(a_text_follows_its_length),
	};

	return cmocka_run_group_tests_name("leb", tests, NULL, NULL);
}
