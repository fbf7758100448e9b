// SPDX-License-Identifier: GPL-2.0-only
/* Placing the sections of a relocatable file one after the other. */
#include "support.h"

#include "formats/dwarf/place.h"

/* not the system's elf.h: the core has a header of that name */
enum { WRITE = 1, ALLOC = 2, EXECINSTR = 4, CODE = ALLOC | EXECINSTR };

static void text_is_first_and_others_follow(void **state)
{
	struct dwarf_place s[] = {
		{ .size = 0 },
		{ .flags = CODE, .size = 5, .align = 1 },
		{ .flags = ALLOC | WRITE, .size = 100, .align = 8, .addr = 7 },
		{ .flags = CODE, .size = 0x21, .align = 16, .is_dot_text = true },
		{ .flags = CODE, .size = 0, .align = 4096 },
		{ .flags = CODE, .size = 3, .align = 32 },
		{ .flags = EXECINSTR, .size = 3, .align = 1 },
		{ .flags = CODE, .size = 1, .align = 12 },	/* no power of two */
		{ .flags = CODE, .size = 1, .align = 0 },
	};

	assert_true(dwarf_place(s, ARRAY_SIZE(s)));
	assert_true(s[3].has_code);
	assert_int_equal(s[3].addr, 0);
	assert_true(s[1].has_code);
	assert_int_equal(s[1].addr, 0x21);
	assert_int_equal(s[5].addr, 0x40);
	assert_int_equal(s[7].addr, 0x43);
	assert_int_equal(s[8].addr, 0x44);
	assert_false(s[0].has_code || s[2].has_code || s[4].has_code || s[6].has_code);
	assert_int_equal(s[2].addr, 0);
}

static void what_has_no_room_is_refused(void **state)
{
	struct dwarf_place s[] = {
		{ .flags = CODE, .size = UINT64_MAX - 16, .align = 1 },
		{ .flags = CODE, .size = 16, .align = 1 },
	};

	assert_true(dwarf_place(s, 2));
	assert_int_equal(s[1].addr, UINT64_MAX - 16);
	s[1].size = 17;
	assert_false(dwarf_place(s, 2));
	s[1].size = 1;
	s[1].align = 64;
	assert_false(dwarf_place(s, 2));
	assert_true(dwarf_place(s, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_first_and_others_follow),
		cmocka_unit_test(what_has_no_room_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
