// SPDX-License-Identifier: GPL-2.0-only
/* cursor.h: no byte outside [pos, end) is ever read, and a failure is permanent. */
#include "support.h"

static const u8 bytes[] = { 0x01, 0x82, 0x03, 0x84, 0x05, 0x86, 0x07, 0x88, 0x09 };

static void reads_little_endian_numbers(void **state)
{
	struct ustack_cursor c;

	ustack_cursor_init(&c, bytes, 0, sizeof(bytes));
	assert_int_equal(ustack_cursor_u8(&c), 0x01);
	assert_int_equal(ustack_cursor_u16(&c), 0x0382);
	assert_int_equal(ustack_cursor_u32(&c), 0x07860584);
	assert_int_equal(c.pos, 7);
	ustack_cursor_init(&c, bytes, 1, sizeof(bytes));
	assert_true(ustack_cursor_u64(&c) == 0x0988078605840382ull);
	assert_int_equal(c.pos, c.end);
	assert_false(c.failed);
}

static void reads_numbers_by_width_code(void **state)
{
	struct ustack_cursor c;

	ustack_cursor_init(&c, bytes, 1, sizeof(bytes));
	assert_int_equal(ustack_cursor_uint(&c, 0), 0x82);
	assert_int_equal(ustack_cursor_uint(&c, 1), 0x8403);
	assert_true(ustack_cursor_uint(&c, 2) == 0x88078605u);
}

static void ends_at_end_for_every_width(void **state)
{
	struct ustack_cursor c;
	u32 room;

	for (room = 0; room <= 8; room++) {
		u8 *exact = malloc(room + !room);

		memset(exact, 0xff, room);
		ustack_cursor_init(&c, exact, 0, room);
		assert_true(ustack_cursor_u64(&c) == (room < 8 ? 0 : ~0ull));
		assert_int_equal(c.failed, room < 8);
		ustack_cursor_init(&c, exact, 0, room);
		assert_true(ustack_cursor_u32(&c) == (room < 4 ? 0 : ~0u));
		assert_int_equal(c.failed, room < 4);
		ustack_cursor_init(&c, exact, 0, room);
		assert_int_equal(ustack_cursor_u16(&c), room < 2 ? 0 : 0xffff);
		assert_int_equal(c.failed, room < 2);
		ustack_cursor_init(&c, exact, 0, room);
		assert_int_equal(ustack_cursor_u8(&c), room < 1 ? 0 : 0xff);
		assert_int_equal(c.failed, room < 1);
		free(exact);
	}
}

static void failure_sticks(void **state)
{
	struct ustack_cursor c;

	ustack_cursor_init(&c, bytes, 0, 3);
	assert_int_equal(ustack_cursor_u32(&c), 0);
	assert_true(c.failed);
	/* one byte would fit */
	assert_int_equal(ustack_cursor_u8(&c), 0);
	assert_null(ustack_cursor_take(&c, 0));
}

static void a_start_behind_the_end_fails(void **state)
{
	struct ustack_cursor c;

	ustack_cursor_init(&c, bytes, 4, 3);
	assert_true(c.failed);
	assert_int_equal(ustack_cursor_u8(&c), 0);
	ustack_cursor_init(&c, bytes, 3, 3);
	assert_false(c.failed);
	assert_non_null(ustack_cursor_take(&c, 0));
}

static void huge_lengths_do_not_wrap(void **state)
{
	struct ustack_cursor c;

	ustack_cursor_init(&c, bytes, 8, 9);
	assert_null(ustack_cursor_take(&c, 0xffffffffu));
	ustack_cursor_init(&c, bytes, 8, 9);
	assert_null(ustack_cursor_take(&c, 0xfffffff9u));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_little_endian_numbers),
		cmocka_unit_test(reads_numbers_by_width_code),
		cmocka_unit_test(ends_at_end_for_every_width),
		cmocka_unit_test(failure_sticks),
		cmocka_unit_test(a_start_behind_the_end_fails),
		cmocka_unit_test(huge_lengths_do_not_wrap),
	};

	return cmocka_run_group_tests_name("cursor", tests, NULL, NULL);
}
