// SPDX-License-Identifier: GPL-2.0-only
/* Lines of /proc/ustack/images. */
#include "support.h"

#include "host/module/module_images.h"

static bool line(const char *text, struct module_image *ret)
{
	static char copy[1024];

	snprintf(copy, sizeof(copy), "%s", text);
	return module_images_line(copy, ret);
}

static void a_table(void **state)
{
	struct module_image m;

	assert_true(line("800001:77 123 users -2 own rows 412 lost 3 bytes 3456 a0a1 /bin/a b\n", &m));
	assert_int_equal(m.dev, 0x800001);
	assert_int_equal(m.ino, 77);
	assert_int_equal(m.size, 123);
	assert_int_equal(m.users, -2);
	assert_string_equal(m.state, "own");
	assert_true(m.has_table);
	assert_int_equal(m.rows, 412);
	assert_int_equal(m.lost, 3);
	assert_int_equal(m.bytes, 3456);
	assert_string_equal(m.build_id, "a0a1");
	assert_string_equal(m.path, "/bin/a b");
	assert_true(line("1:2 3 users 4 loaded rows 5 lost 6 bytes 7 ab [vdso]", &m));
	assert_true(m.has_table);
	assert_true(line("1:2 3 users 4 partial rows 5 lost 6 bytes 7 ab /x", &m));
	assert_true(m.has_table);
}

static void no_table(void **state)
{
	struct module_image m;

	assert_true(line("1:2 3 users 4 NO_SECTION rows 0 lost 0 bytes 0 ab /x", &m));
	assert_false(m.has_table);
	assert_string_equal(m.state, "NO_SECTION");
	assert_true(line("1:2 3 users 4 NEW rows 0 lost 0 bytes 0 ab ?", &m));
	assert_string_equal(m.path, "?");
}

static void no_build_id(void **state)
{
	struct module_image m;

	assert_true(line("1:2 3 users 4 own rows 0 lost 0 bytes 0  /deadbeef", &m));
	assert_string_equal(m.build_id, "");
	assert_string_equal(m.path, "/deadbeef");
}

/* A path cannot imitate the fields before it. */
static void paths(void **state)
{
	struct module_image m;

	assert_true(line("1:2 3 users 4 own rows 0 lost 0 bytes 0 ab 1:2 3 users 4 loaded rows 9 \\012", &m));
	assert_string_equal(m.path, "1:2 3 users 4 loaded rows 9 \\012");
	assert_string_equal(m.state, "own");
}

static void no_lines(void **state)
{
	static const char long_id[] = "1:2 3 users 4 own rows 0 lost 0 bytes 0 "
		"0123456789012345678901234567890123456789012345678901234567890123456789012345678 /x";
	static const char longest_id[] = "1:2 3 users 4 own rows 0 lost 0 bytes 0 "
		"01234567890123456789012345678901234567890123456789012345678901234567890123456789 /x";
	static const char *const texts[] = {
		"", "\n", "1:2", "1:2 3 users 4 own rows 0 lost 0 bytes", "1:2 3 users 4 own rows 0 lost 0 bytes 0",
		"1:2 3 users 4 own rows 0 lost 0 bytes 0x ab /x", "1:2 3 users 4 own rows 0 lost 0 bytes 0 ab",
		"1:2 3 users 4 own rows 0 lost 0 bytes 0 ag /x", "x:2 3 users 4 own rows 0 lost 0 bytes 0 ab /x",
		longest_id,
	};
	struct module_image m;
	size_t i;

	assert_true(line(long_id, &m));
	assert_int_equal(strlen(m.build_id), 79);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(line(texts[i], &m));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table),
		cmocka_unit_test(no_table),
		cmocka_unit_test(no_build_id),
		cmocka_unit_test(paths),
		cmocka_unit_test(no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
