// SPDX-License-Identifier: GPL-2.0-only
/*
 * A query to the database of a fleet: the windows that it covers, and the parts of a selector
 * that are sent to the server, with a server that may answer anything.
 */
#include "clickhouse_windows.h"

#include "serve/clickhouse/fleet.h"

/* Begins a query of @selector and ends it. Return: as fleet_begin(), fleet_finish(). */
static int begin(struct asked *a, const struct house_answer *answers, unsigned int nr,
		 const char *selector, void (*look)(const struct fleet *f))
{
	struct fleet f;
	int err;

	asked_begin(a, answers, nr, selector);
	err = fleet_begin(&f, a->c, &a->q, &a->diag);
	if (!err && look)
		look(&f);
	err = fleet_finish(&f, err, NULL);
	if (err)
		assert_string_equal(a->diag.file, a->place.shown);
	asked_stop(a);
	return err;
}

static void expect_kinds(const struct fleet *f)
{
	char column[FLEET_VALUE];

	assert_int_equal(f->nr_kinds, 3);
	assert_true(f->several);
	assert_int_equal(f->kinds[0].alike, 0);
	assert_int_equal(f->kinds[1].alike, 0);
	assert_int_equal(f->kinds[2].alike, 2);
	assert_int_equal(f->longest_ns, 70 * SECOND);
	assert_int_equal(f->coverage.windows, 3 + 2 + 1);
	assert_int_equal(f->coverage.first_ns, 5 * SECOND);
	assert_int_equal(f->coverage.last_ns, 200 * SECOND);
	assert_int_equal(f->coverage.recorded_ns, (30 + 20 + 10) * SECOND);
	assert_string_equal(f->kinds[0].is,
			    "types = ['samples', 'cpu'] AND units = ['count', 'nanoseconds']");
	/* labels with columns of their own, and the others in the common column */
	assert_string_equal(fleet_value(&f->kinds[0], 0, column), "count");
	assert_string_equal(fleet_value(&f->kinds[0], 1, column), "cpu");
	assert_string_equal(fleet_value(&f->kinds[2], 0, column), "more[1]");
	assert_string_equal(fleet_value(&f->kinds[2], 1, column), "cpu");
	assert_string_equal(fleet_value(&f->kinds[2], 2, column), "more[2]");
	assert_int_equal(fleet_find_value(&f->kinds[2], "samples"), 2);
	assert_int_equal(fleet_find_value(&f->kinds[0], "faults"), -1);
}

static void expect_one(const struct fleet *f)
{
	assert_int_equal(f->nr_kinds, 2);
	assert_false(f->several);
}

static void expect_several(const struct fleet *f)
{
	assert_int_equal(f->nr_kinds, 2);
	assert_true(f->several);
}

static void test_kinds(void **state)
{
	static const struct windows rows[] = {
		USUAL,
		{ "samples,cpu", "count,nanoseconds", "other", 2, 7 * SECOND, 90 * SECOND,
		  20 * SECOND, 70 * SECOND },
		{ "faults,cpu,samples", "count,nanoseconds,bytes", "", 1, 190 * SECOND,
		  200 * SECOND, 10 * SECOND, 10 * SECOND },
	};
	struct house_rows r = { .nr = 0 };
	const struct house_answer answer = HOUSE_ROWS(NULL, &r);
	struct asked a;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		put_windows(&r, &rows[i]);
	assert_int_equal(begin(&a, &answer, 1, "", expect_kinds), 0);
	assert_int_equal(a.s.nr, 1);
	asked_release(&a);
	/* equal kinds are one, different kinds are two */
	r = (struct house_rows){ .nr = 0 };
	put_windows(&r, &rows[0]);
	put_windows(&r, &rows[1]);
	assert_int_equal(begin(&a, &answer, 1, "", expect_one), 0);
	asked_release(&a);
	r = (struct house_rows){ .nr = 0 };
	put_windows(&r, &rows[0]);
	put_windows(&r, &rows[2]);
	assert_int_equal(begin(&a, &answer, 1, "", expect_several), 0);
	asked_release(&a);
}

/* The summary before the samples: the first time, the total length, each comment once. */
static void expect_heads(const struct fleet *f)
{
	struct profile *p = profile_new();

	fleet_heads(f, p);
	assert_int_equal(p->time_ns, 5 * SECOND);
	/* no overflow */
	assert_true(p->duration_ns == UINT64_MAX);
	assert_int_equal(p->nr_comments, 2);
	assert_string_equal(profile_text(p, p->comments[0]), "a");
	assert_string_equal(profile_text(p, p->comments[1]), "b");
	assert_int_equal(p->period, 10);
	assert_string_equal(profile_text(p, p->default_type), "cpu");
	assert_int_equal(profile_error(p), 0);
	profile_free(p);
}

static void test_heads(void **state)
{
	static const struct windows rows[] = {
		{ "samples", "count", "a,b", 1, 7 * SECOND, 8 * SECOND, UINT64_MAX - 5, 1 },
		{ "samples", "count", "b,a,b", 1, 5 * SECOND, 8 * SECOND, 6, 1 },
		/* an unknown time does not count as the earliest */
		{ "samples", "count", "", 1, 0, 8 * SECOND, 6, 1 },
	};
	struct house_rows r = { .nr = 0 };
	const struct house_answer answer = HOUSE_ROWS(NULL, &r);
	struct asked a;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		put_windows(&r, &rows[i]);
	assert_int_equal(begin(&a, &answer, 1, "", expect_heads), 0);
	asked_release(&a);
}

static void expect_none(const struct fleet *f)
{
	assert_int_equal(f->nr_kinds, 0);
	assert_int_equal(f->coverage.windows, 0);
}

static void expect_fewer(const struct fleet *f)
{
	assert_int_equal(f->nr_kinds, 1);
	assert_int_equal(f->kinds[0].head->nr_value_types, 1);
	assert_string_equal(f->kinds[0].is, "types = ['it\\'s', '\\\\'] AND units = ['count']");
}

/* More kinds, or values, than are possible; fewer units than types; none at all. */
static void test_lies(void **state)
{
	static const struct windows fewer = { "it's,\\", "count", "", 1, 1, 2, 1, 1 };
	static const struct windows many = { "a,b,c,d,e,f,g,h,i", "1,2,3,4,5,6,7,8,9", "", 1, 1,
					     2, 1, 1 };
	struct house_rows r = { .nr = 0 };
	struct house_answer answer = HOUSE_ROWS(NULL, &r);
	struct asked a;

	assert_int_equal(begin(&a, &answer, 1, "", expect_none), 0);
	asked_release(&a);
	put_windows(&r, &fewer);
	assert_int_equal(begin(&a, &answer, 1, "", expect_fewer), 0);
	asked_release(&a);
	answer.times = FLEET_MAX_KINDS;
	assert_int_equal(begin(&a, &answer, 1, "", NULL), 0);
	asked_release(&a);
	answer.times++;
	assert_int_equal(begin(&a, &answer, 1, "", NULL), -E2BIG);
	assert_non_null(strstr(a.diag.text, "kinds of windows"));
	asked_release(&a);
	r = (struct house_rows){ .nr = 0 };
	put_windows(&r, &many);
	answer.times = 1;
	assert_int_equal(begin(&a, &answer, 1, "", NULL), -E2BIG);
	assert_non_null(strstr(a.diag.text, "types of values"));
	asked_release(&a);
}

/* Texts of a selector are sent only as literals. */
static void expect_texts(const struct fleet *f)
{
	struct sql s;

	assert_string_equal(f->hosts, " AND host = 'a\\' OR 1 --\\\\'");
	assert_string_equal(f->columns, " AND host = 'a\\' OR 1 --\\\\' AND service != '\\\\\\'' AND "
			    "outcome = 'x\n'");
	assert_int_equal(sql_init(&s), 0);
	fleet_put_windows(&s, f);
	assert_int_equal(sql_end(&s), 0);
	assert_string_equal(s.text, "day >= toDate(0) AND host = 'a\\' OR 1 --\\\\'");
	sql_release(&s);
}

static void test_texts(void **state)
{
	const struct house_answer answer = HOUSE_ROWS(NULL, usual_windows());
	struct asked a;

	assert_int_equal(begin(&a, &answer, 1, "host=\"a' OR 1 --\\\\\", service!=`\\'`, stack=\"x\\n\", "
			       "command=\"x' OR\"", expect_texts), 0);
	assert_null(house_asked(&a.s, "x' OR"));
	asked_release(&a);
}

/* Whatever texts the server has: those that match an expression are sent back as literals. */
static void test_expressions(void **state)
{
	struct house_rows r = { .nr = 0 };
	const struct house_answer answers[] = {
		HOUSE_ROWS("FROM windows WHERE 1", &r),
		{ .head = HOUSE_OK, .tail = "" },
	};
	struct asked a;

	house_row(&r);
	house_text(&r, "web'1");
	house_row(&r);
	house_text(&r, "db");
	house_row(&r);
	house_length(&r, 7);
	house_bytes(&r, "web\0\\ x", 7);
	house_row(&r);
	house_text(&r, "");
	assert_int_equal(begin(&a, answers, 2, "host=~\"web.*\"", NULL), 0);
	assert_non_null(house_asked(&a.s, " AND host IN ('web\\'1', 'web\\0\\\\ x') GROUP BY types"));
	asked_release(&a);
	assert_int_equal(begin(&a, answers, 2, "host!~\"web.*\"", NULL), 0);
	assert_non_null(house_asked(&a.s, " AND host IN ('db', '') GROUP BY types"));
	asked_release(&a);
	/* no text matches, and there is no empty list */
	assert_int_equal(begin(&a, answers, 2, "host=~\"x\"", NULL), 0);
	assert_non_null(house_asked(&a.s, " AND host IN ('') AND 0 GROUP BY types"));
	asked_release(&a);
}

static void test_too_many_texts(void **state)
{
	struct house_rows r = { .nr = 0 };
	struct house_answer answer = HOUSE_ROWS(NULL, &r);
	struct asked a;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		house_row(&r);
		house_text(&r, "a");
	}
	answer.asks = "FROM services_by_minute";
	answer.times = FLEET_MAX_TEXTS / 100 + 1;
	assert_int_equal(begin(&a, &answer, 1, "service=~\"a\"", NULL), -E2BIG);
	assert_null(house_asked(&a.s, KINDS));
	asked_release(&a);
	assert_int_equal(begin(&a, &answer, 1, "service=~\"b\"", NULL), 0);
	asked_release(&a);
	/* an expression that fails selects nothing, and a missing answer is not an empty one */
	r = (struct house_rows){ .nr = 0 };
	house_row(&r);
	house_text(&r, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
	answer.times = 1;
	assert_int_equal(begin(&a, &answer, 1, "service=~\"(a|aa|a.)*[cd]\"", NULL), -E2BIG);
	assert_non_null(strstr(a.diag.text, "takes too long"));
	asked_release(&a);
}

static char *conditions(const struct fleet *f, const struct fleet_kind *kind, const char *rounded)
{
	struct sql s;
	char *text;

	assert_int_equal(sql_init(&s), 0);
	if (rounded)
		fleet_put_rounded(&s, f, rounded);
	else
		fleet_put_samples(&s, f, kind);
	assert_int_equal(sql_end(&s), 0);
	text = s.text;
	s.text = NULL;
	sql_release(&s);
	return text;
}

static void expect(char *got, const char *want)
{
	assert_string_equal(got, want);
	free(got);
}

#define IN_WINDOWS "(host, time) GLOBAL IN (SELECT host, toDateTime(intDiv(time_ns, 1000000000), "\
	"'UTC') FROM windows FINAL WHERE "

/*
 * The rows of samples that belong to windows whose middle is in the range: for windows near its
 * ends, the table of windows decides.
 */
static void test_times(void **state)
{
	const uint64_t day = 20000 * DAY;
	struct clickhouse_query q = { .q = { .from_ns = day + 5 * SECOND + 1, .to_ns = day + DAY } };
	struct fleet_kind kind = { .is = (char *)"types = ['a']" };
	struct fleet f = { .q = &q, .columns = (char *)" AND c", .hosts = (char *)" AND h",
			   .longest_ns = 12 * SECOND };

	expect(conditions(&f, NULL, NULL),
	       "part = 0 AND day >= toDate(19999) AND day <= toDate(20000) AND c "
	       "AND time >= toDateTime(1727999999, 'UTC') AND intDiv(toUInt32(time), 3600) >= 479999 "
	       "AND time <= toDateTime(1728086399, 'UTC') AND intDiv(toUInt32(time), 3600) <= 480023 "
	       "AND ((1 AND time >= toDateTime(1728000006, 'UTC') AND time < toDateTime(1728086393, 'UTC')) "
	       "OR " IN_WINDOWS "day >= toDate(19999) AND day <= toDate(20000) AND "
	       "(time_ns + intDiv(duration_ns, 2)) >= 1728000005000000001 AND "
	       "(time_ns + intDiv(duration_ns, 2)) < 1728086400000000000 AND h))");
	/* if there are several kinds, the table of windows says which one it is */
	f.several = true;
	q.q.to_ns = 0;
	expect(conditions(&f, &kind, NULL),
	       "part = 0 AND day >= toDate(19999) AND c AND " IN_WINDOWS
	       "day >= toDate(19999) AND (time_ns + intDiv(duration_ns, 2)) >= 1728000005000000001 "
	       "AND h AND types = ['a'])");
	/* without a range nothing has to be known about them */
	f.several = false;
	q.q.from_ns = 0;
	expect(conditions(&f, &kind, NULL), "part = 0 AND day >= toDate(0) AND c");
	/* windows with a wrong length only make the server examine more of them */
	q.q.from_ns = day + SECOND;
	q.q.to_ns = day + 2 * SECOND;
	f.longest_ns = UINT64_MAX;
	expect(conditions(&f, NULL, NULL),
	       "part = 0 AND day >= toDate(19999) AND day <= toDate(20000) AND c "
	       "AND time >= toDateTime(0, 'UTC') AND intDiv(toUInt32(time), 3600) >= 0 "
	       "AND time <= toDateTime(1728000001, 'UTC') AND intDiv(toUInt32(time), 3600) <= 480000 "
	       "AND ((1 AND time >= toDateTime(1728000001, 'UTC') AND time < toDateTime(0, 'UTC')) OR "
	       IN_WINDOWS "day >= toDate(19999) AND day <= toDate(20000) AND "
	       "(time_ns + intDiv(duration_ns, 2)) >= 1728000001000000000 AND "
	       "(time_ns + intDiv(duration_ns, 2)) < 1728000002000000000 AND h))");
}

/* The range is extended to whole hours; a range of whole hours stays the same. */
static void test_rounded(void **state)
{
	const uint64_t day = 20000 * DAY;
	struct clickhouse_query q = { .rounded = true,
				      .q = { .from_ns = day + HOUR + 1, .to_ns = day + HOUR + 2 } };
	struct fleet f = { .q = &q, .columns = (char *)" AND c", .hosts = (char *)"" };

	expect(conditions(&f, NULL, "hour"),
	       "part = 0 AND day >= toDate(20000) AND day <= toDate(20000) AND "
	       "hour >= toDateTime(1728003600, 'UTC') AND hour < toDateTime(1728007200, 'UTC') AND c");
	q.q.from_ns = day;
	q.q.to_ns = day + DAY;
	expect(conditions(&f, NULL, "minute"),
	       "part = 0 AND day >= toDate(20000) AND day <= toDate(20000) AND "
	       "minute >= toDateTime(1728000000, 'UTC') AND minute < toDateTime(1728086400, 'UTC') AND c");
	/* the same for windows: the time at which they begin */
	q.q.to_ns = 0;
	q.q.from_ns = day + 1;
	assert_int_equal(f.several, false);
	expect(conditions(&f, NULL, NULL),
	       "part = 0 AND day >= toDate(19999) AND c AND time >= toDateTime(1727999999, 'UTC') AND "
	       "intDiv(toUInt32(time), 3600) >= 479999 AND ((1 AND time >= toDateTime(1728000000, 'UTC')) OR "
	       IN_WINDOWS "day >= toDate(19999) AND time_ns >= 1728000000000000000))");
}

/* Labels that the sums by hour do not have are not requested. */
static void test_not_rounded(void **state)
{
	static const char *const selectors[] = { "host=\"a\"", "command=\"a\"", "pid!=\"1\"",
						 "service=\"a\", host!~\"a\"" };
	struct fleet f;
	struct asked a;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(selectors); i++) {
		asked_begin(&a, NULL, 0, selectors[i]);
		a.q.rounded = true;
		assert_int_equal(fleet_finish(&f, fleet_begin(&f, a.c, &a.q, &a.diag), NULL), -EINVAL);
		asked_stop(&a);
		assert_int_equal(a.s.nr, 0);
		asked_release(&a);
	}
	asked_begin(&a, NULL, 0, "service=\"a\", release!=\"b\", stack=\"complete\"");
	a.q.rounded = true;
	assert_int_equal(fleet_finish(&f, fleet_begin(&f, a.c, &a.q, &a.diag), NULL), 0);
	asked_stop(&a);
	assert_int_equal(a.s.nr, 1);
	asked_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds), cmocka_unit_test(test_heads),
		cmocka_unit_test(test_lies), cmocka_unit_test(test_texts),
		cmocka_unit_test(test_expressions), cmocka_unit_test(test_too_many_texts),
		cmocka_unit_test(test_times), cmocka_unit_test(test_rounded),
		cmocka_unit_test(test_not_rounded),
	};

	unsetenv("CLICKHOUSE_PASSWORD");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
