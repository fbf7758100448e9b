// SPDX-License-Identifier: GPL-2.0-only
/*
 * Foreign texts for screens: control characters are replaced, and texts are cut at characters.
 */
#include "support.h"

#include "util/screen.h"
#include "util/text.h"

static const char *text(const char *s, size_t len)
{
	static char buf[256];

	assert_true(len <= sizeof(buf));
	memset(buf, 'x', sizeof(buf));
	return screen_text(s, buf, len);
}

static void test_text(void **state)
{
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80",
		  "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80" },
		{ "\x1b]0;t\x07", "\\033]0;t\\007" },
		{ "a\nb\tc\x7f", "a\\012b\\011c\\177" },
		{ "back\\slash", "back\\134slash" },
		/* U+009B, U+00A0, U+202E, U+2029, U+2067, U+FEFF */
		{ "\xc2\x9b", "\\302\\233" },
		{ "\xc2\xa0", "\xc2\xa0" },
		{ "\xe2\x80\xae", "\\342\\200\\256" },
		{ "\xe2\x80\xa9", "\\342\\200\\251" },
		{ "\xe2\x81\xa7", "\\342\\201\\247" },
		{ "\xef\xbb\xbf", "\\357\\273\\277" },
		/* a byte of Latin-1, half a character, an overlong form, a surrogate */
		{ "\x9b" "2J", "\\2332J" },
		{ "\xe6\x97", "\\346\\227" },
		{ "\xc0\x9b", "\\300\\233" },
		{ "\xed\xa0\x80", "\\355\\240\\200" },
		{ "", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(text(cases[i][0], 256), cases[i][1]);
}

/* A text ends between characters, and never inside an escape for one. */
static void test_cut(void **state)
{
	static const char s[] = "ab\xe6\x97\xa5\x1b!";
	static const char *const want[] = { "", "a", "ab", "ab", "ab", "ab\xe6\x97\xa5",
					    "ab\xe6\x97\xa5", "ab\xe6\x97\xa5",
					    "ab\xe6\x97\xa5", "ab\xe6\x97\xa5\\033",
					    "ab\xe6\x97\xa5\\033!" };
	size_t len;

	(void)state;
	for (len = 1; len <= sizeof(want) / sizeof(want[0]); len++)
		assert_string_equal(text(s, len), want[len - 1]);
}

static void test_column(void **state)
{
	char buf[4 * 5 + 1];

	(void)state;
	assert_string_equal(screen_column("ab", 5, buf, sizeof(buf)), "ab   ");
	assert_string_equal(screen_column("abcdefg", 5, buf, sizeof(buf)), "abcde");
	assert_string_equal(screen_column("\xe6\x97\xa5\xe6\x97\xa5", 5, buf, sizeof(buf)),
			    "\xe6\x97\xa5\xe6\x97\xa5   ");
	assert_string_equal(screen_column("\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80"
					  "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
					  5, buf, sizeof(buf)),
			    "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80"
			    "\xf0\x9f\x98\x80\xf0\x9f\x98\x80");
	assert_string_equal(screen_column("", 3, buf, sizeof(buf)), "   ");
}

/* Paths: the same for the UTF-8 form of Latin-1's control characters. */
static void test_escape(void **state)
{
	char buf[64];

	(void)state;
	assert_string_equal(text_escape("a\xc2\x9b" "b\xc3\x9b\n", buf, sizeof(buf)),
			    "a\\302\\233b\xc3\x9b\\012");
	assert_string_equal(text_escape("\xc2", buf, sizeof(buf)), "\xc2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),   cmocka_unit_test(test_cut),
		cmocka_unit_test(test_column), cmocka_unit_test(test_escape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
