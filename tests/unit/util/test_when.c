// SPDX-License-Identifier: GPL-2.0-only
/* Times as users write them, compared with the system's own calendar. */
#include "support.h"

#include <time.h>

#include "util/when.h"

#define SECOND 1000000000ull
#define NOW (1795341600ull * SECOND)	/* 2026-11-22 10:00:00 UTC */

static void is(const char *text, uint64_t want)
{
	uint64_t got = 0;

	if (!when_parse(text, NOW, &got))
		fail_msg("'%s' is refused", text);
	if (got != want)
		fail_msg("'%s' is %llu", text, (unsigned long long)got);
}

static void refused(const char *text)
{
	uint64_t got;

	if (when_parse(text, NOW, &got))
		fail_msg("'%s' is taken", text);
}

static void in_zone(const char *tz)
{
	setenv("TZ", tz, 1);
	tzset();
}

static void test_moments(void **state)
{
	in_zone("UTC");
	is("now", NOW);
	is("-1h", NOW - 3600 * SECOND);
	is("-1h30m", NOW - 5400 * SECOND);
	is("-2d", NOW - 2 * 86400 * SECOND);
	is("-500ms", NOW - SECOND / 2);
	is("2026-11-22 10:00", NOW);
	is("2026-11-22T10:00:00", NOW);
	is("2026-11-22T10:00:00.25Z", NOW + SECOND / 4);
	is("2026-11-22T11:00:00+01:00", NOW);
	is("2026-11-22T08:30-0130", NOW);
	is("2026-11-22", NOW - 36000 * SECOND);
	is("today", NOW - 36000 * SECOND);
	is("yesterday", NOW - 36000 * SECOND - 86400 * SECOND);
	is("09:59:59", NOW - SECOND);
	is("@1795341600", NOW);
	is("@1795341600.000000001", NOW + 1);
	is("2024-02-29", 1709164800ull * SECOND);
	is("1970-01-01", 0);
}

static void test_zone(void **state)
{
	/* an hour east in winter, two in summer */
	in_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	is("2026-11-22 11:00", NOW);
	is("2026-11-22 10:00Z", NOW);
	is("2026-07-01 12:00", 1782900000ull * SECOND);
	is("today", NOW - 11 * 3600 * SECOND);
}

static void test_refused(void **state)
{
	static const char *const words[] = {
		"", "x", "-", "-1", "-1y", "-h", "--1h", "1h", "-99999999999d", "2026", "2026-13-01",
		"2026-02-29", "2026-11-31", "2026-11-22x", "2026-11-22T", "2026-11-22 24:00",
		"2026-11-22 10:60", "2026-11-22 10", "2026-11-22 10:00:", "2026-11-22 10:00:00.",
		"2026-11-22 10:00+", "2026-11-22 10:00+25:00", "1969-12-31", "@", "@x", "@1.",
		"@99999999999", "10:0x", "now ", "-1h ",
	};
	size_t i;

	in_zone("UTC");
	for (i = 0; i < ARRAY_SIZE(words); i++)
		refused(words[i]);
}

static void test_lengths(void **state)
{
	uint64_t ns;

	assert_true(when_parse_length("1m", &ns));
	assert_int_equal(ns, 60 * SECOND);
	assert_true(when_parse_length("1w1d1h1m1s1ms", &ns));
	assert_int_equal(ns, 694861 * SECOND + SECOND / 1000);
	assert_false(when_parse_length("0s", &ns));
	assert_false(when_parse_length("", &ns));
	assert_false(when_parse_length("999999999w", &ns));
}

static void test_text(void **state)
{
	char buf[WHEN_TEXT];

	in_zone("UTC");
	assert_string_equal(when_text(NOW, buf), "2026-11-22 10:00:00");
	assert_string_equal(when_text(0, buf), "1970-01-01 00:00:00");
	when_text(UINT64_MAX, buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_zone),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
