// SPDX-License-Identifier: GPL-2.0-only
/*
 * Labels and sums in the database of a fleet, with a server that may answer anything: the sets
 * of labels that count are those that a store would count, and no number of an answer is used
 * as an index before it is checked.
 */
#include "clickhouse_windows.h"

#include "serve/clickhouse/sets.h"

#define SETS "FROM labels WHERE id GLOBAL IN (SELECT labels"
#define MACHINES "FROM labels WHERE id GLOBAL IN (SELECT machine"
#define PAIRS ", labels, machine FROM samples"
#define GROUPED " AS text, "

/* The conditions on sets that are sent to the server. */
struct told {
	uint64_t labels;
	uint64_t machine;
	uint32_t class;
} __attribute__((__packed__));

/* A row of the table of labels with only texts. */
static void put_set(struct house_rows *r, uint64_t id, const char *keys, const char *texts)
{
	char nothing[8] = { 0 };
	size_t at;

	house_row(r);
	house_number(r, id, 8);
	house_texts(r, keys);
	at = r->len;
	house_texts(r, texts);
	/* as many numbers and units as texts */
	house_length(r, r->bytes[at]);
	house_bytes(r, (const char[8 * 8]){ 0 }, 8u * r->bytes[at]);
	house_length(r, r->bytes[at]);
	house_bytes(r, nothing, r->bytes[at]);
}

/* A row of a group, a number and a value. */
static void put_group(struct house_rows *r, uint32_t class, const char *text, uint64_t number,
		      int64_t value)
{
	house_row(r);
	house_number(r, class, 4);
	house_text(r, text);
	house_number(r, number, 8);
	house_number(r, (uint64_t)value, 8);
}

/* Classes are numbers of sets, so that the test can distinguish them. */
static int class_of(const struct sets *s, uint32_t labels, uint32_t machine, void *arg,
		    uint32_t *ret)
{
	*ret = labels * 100 + machine;
	return 0;
}

/* Finds and classifies sets of @selector. Return: as sets_begin(), sets_classify(). */
static int classify(struct asked *a, const struct house_answer *answers, unsigned int nr,
		    const char *selector, const char *label, void (*look)(const struct sets *s))
{
	struct fleet f;
	struct sets s;
	int err;

	asked_begin(a, answers, nr, selector);
	assert_int_equal(fleet_begin(&f, a->c, &a->q, &a->diag), 0);
	err = sets_begin(&s, &f, label);
	err = err ? err : sets_classify(&s, class_of, NULL);
	if (!err)
		look(&s);
	sets_release(&s);
	err = fleet_finish(&f, err, NULL);
	asked_stop(a);
	return err;
}

static void expect_told(const struct sets *s, const struct told *told, size_t nr)
{
	const struct clickhouse_external e = sets_external(s);

	assert_int_equal(e.len, nr * sizeof(*told));
	if (nr)
		assert_memory_equal(e.rows, told, e.len);
	assert_string_equal(e.structure, "labels UInt64, machine UInt64, class UInt32");
}

/* The classes of 7, 8 and the empty set, in the order in which they were added. */
static void expect_not_web(const struct sets *s)
{
	const struct told told[] = { { 0, 0, 0 }, { 8, 0, 200 } };
	struct sql sql;

	assert_false(s->machines);
	expect_told(s, told, 2);
	assert_int_equal(sql_init(&sql), 0);
	sets_put_selected(s, &sql);
	assert_int_equal(sql_end(&sql), 0);
	assert_string_equal(sql.text, "(labels) GLOBAL IN (SELECT labels FROM sets) AND ");
	sql_release(&sql);
}

static void expect_web(const struct sets *s)
{
	const struct told told[] = { { 7, 0, 100 } };
	char buf[24];

	expect_told(s, told, 1);
	assert_string_equal(sets_text(s, 1, 0, "command", buf), "web");
	assert_string_equal(sets_text(s, 1, 0, "nothing", buf), "");
}

static void expect_empty(const struct sets *s)
{
	const struct told told[] = { { 0, 0, 0 } };

	expect_told(s, told, 1);
}

static void test_selected(void **state)
{
	struct house_rows r = { .nr = 0 };
	const struct house_answer answers[] = {
		HOUSE_ROWS(KINDS, usual_windows()),
		HOUSE_ROWS(SETS, &r),
	};
	struct asked a;

	put_set(&r, 7, "command,pid", "web,1");
	put_set(&r, 8, "command", "w\\'");
	/* the same in another week; and a set that has no row, with other labels than it has */
	put_set(&r, 7, "command,pid", "web,1");
	put_set(&r, 0, "command", "web");
	assert_int_equal(classify(&a, answers, 2, "command!=\"web\"", NULL, expect_not_web), 0);
	/* none of them gets into a statement */
	assert_null(house_asked(&a.s, "web"));
	asked_release(&a);
	assert_int_equal(classify(&a, answers, 2, "command=~\"w.b\"", NULL, expect_web), 0);
	asked_release(&a);
	/* no rows at all: the empty set exists */
	assert_int_equal(classify(&a, answers, 1, "", NULL, expect_empty), 0);
	asked_release(&a);
}

/* Keys without texts, and more of both than a set has. */
static void expect_cut(const struct sets *s)
{
	const struct profile_labels *set = s->defs->labels;
	char buf[24];

	assert_int_equal(s->ids.nr, 1 + 3);
	assert_int_equal(set[s->of[2]].nr, 1);
	assert_string_equal(sets_text(s, s->of[2], 0, "a", buf), "x");
	assert_string_equal(sets_text(s, s->of[2], 0, "b", buf), "");
	assert_int_equal(set[s->of[3]].nr, PROFILE_MAX_LABELS);
}

static void test_arrays(void **state)
{
	struct house_rows r = { .nr = 0 };
	const struct house_answer answers[] = {
		HOUSE_ROWS(KINDS, usual_windows()),
		HOUSE_ROWS(SETS, &r),
	};
	struct asked a;
	unsigned int i;
	char key[8];

	put_set(&r, 1, "a,b,c", "x");
	house_row(&r);
	house_number(&r, 2, 8);
	house_length(&r, 100);
	for (i = 0; i < 100; i++) {
		snprintf(key, sizeof(key), "k%02u", i);
		house_text(&r, key);
	}
	house_length(&r, 100);
	house_bytes(&r, (const char[100]){ 0 }, 100);
	house_length(&r, 100);
	house_bytes(&r, (const char[800]){ 0 }, 800);
	house_length(&r, 100);
	house_bytes(&r, (const char[100]){ 0 }, 100);
	assert_int_equal(classify(&a, answers, 2, "", NULL, expect_cut), 0);
	asked_release(&a);
}

/*
 * A sample's own label comes first, then that of its machine; pairs of unknown sets count for
 * nothing.
 */
static void expect_pairs(const struct sets *s)
{
	const struct told told[] = { { 7, 5, 201 }, { 0, 5, 1 } };
	char buf[24];

	assert_true(s->machines);
	expect_told(s, told, 2);
	assert_string_equal(sets_columns(s), "labels, machine");
	assert_string_equal(sets_text(s, 2, 1, "region", buf), "north");
	assert_string_equal(sets_text(s, 3, 1, "region", buf), "south");
	assert_string_equal(sets_text(s, 2, 1, "nothing", buf), "");
}

static void expect_nothing(const struct sets *s)
{
	assert_false(s->machines);
	expect_told(s, NULL, 0);
}

static void test_machines(void **state)
{
	static const uint64_t pairs[][2] = { { 7, 5 }, { 8, 5 }, { 0, 5 }, { 7, 99 }, { 99, 5 } };
	struct house_rows machines = { .nr = 0 }, sets = { .nr = 0 }, both = { .nr = 0 };
	const struct house_answer answers[] = {
		HOUSE_ROWS(KINDS, usual_windows()),
		HOUSE_ROWS(MACHINES, &machines),
		HOUSE_ROWS(SETS, &sets),
		HOUSE_ROWS(PAIRS, &both),
	};
	struct asked a;
	size_t i;

	put_set(&machines, 5, "region", "north");
	put_set(&sets, 7, "command", "web");
	put_set(&sets, 8, "command,region", "web,south");
	for (i = 0; i < ARRAY_SIZE(pairs); i++) {
		house_row(&both);
		house_number(&both, pairs[i][0], 8);
		house_number(&both, pairs[i][1], 8);
	}
	assert_int_equal(classify(&a, answers, 4, "region=\"north\"", NULL, expect_pairs), 0);
	asked_release(&a);
	/* for a label that no machine has, no pairs are requested */
	assert_int_equal(classify(&a, answers, 4, "command=\"nobody\"", NULL, expect_nothing), 0);
	assert_null(house_asked(&a.s, PAIRS));
	asked_release(&a);
}

/**
 * struct points - the points of an answer, as text: "group at value"
 * @err: the error to return
 */
struct points {
	char text[512];
	int err;
};

static int take_point(const struct store_point *p, void *arg)
{
	struct points *to = arg;
	size_t len = strlen(to->text);

	snprintf(to->text + len, sizeof(to->text) - len, "%s %llu %lld\n", p->group,
		 (unsigned long long)p->at_ns, (long long)p->value);
	return to->err;
}

static int take_value(const char *text, uint64_t samples, void *arg)
{
	struct points *to = arg;
	size_t len = strlen(to->text);

	snprintf(to->text + len, sizeof(to->text) - len, "%s %llu\n", text,
		 (unsigned long long)samples);
	return to->err;
}

static int series(struct asked *a, const struct house_answer *answers, unsigned int nr,
		  const char *label, struct points *to)
{
	struct store_coverage coverage;
	int err;

	to->text[0] = '\0';
	asked_begin(a, answers, nr, "");
	err = clickhouse_series(a->c, &a->q, label, "samples", 10, take_point, to, &coverage,
				&a->diag);
	if (err)
		assert_string_equal(a->diag.file, a->place.shown);
	asked_stop(a);
	return err;
}

static int values(struct asked *a, const struct house_answer *answers, unsigned int nr,
		  const char *label, struct points *to)
{
	struct store_coverage coverage;
	int err;

	to->text[0] = '\0';
	asked_begin(a, answers, nr, "");
	err = clickhouse_values(a->c, &a->q, label, take_value, to, &coverage, &a->diag);
	asked_stop(a);
	return err;
}

/* Without windows no further query is sent. */
static void test_nothing(void **state)
{
	struct points got = { .err = 0 };
	struct asked a;

	assert_int_equal(series(&a, NULL, 0, "command", &got), 0);
	assert_int_equal(a.s.nr, 1);
	asked_release(&a);
	assert_int_equal(values(&a, NULL, 0, NULL, &got), 0);
	assert_int_equal(a.s.nr, 1);
	asked_release(&a);
	assert_string_equal(got.text, "");
}

/* The largest group comes first, and steps are in order, whatever the order of the rows. */
static void test_series(void **state)
{
	struct house_rows r = { .nr = 0 };
	struct house_answer answers[] = {
		HOUSE_ROWS(KINDS, usual_windows()),
		HOUSE_ROWS(GROUPED, &r),
	};
	struct points got = { .err = 0 };
	struct asked a;

	put_group(&r, 0, "b", 3, 5);
	put_group(&r, 0, "a", 2, 4);
	put_group(&r, 0, "b", 1, 7);
	/* the same step again, from another kind of windows; and an empty sum */
	put_group(&r, 0, "b", 3, 6);
	put_group(&r, 0, "a", 9, 0);
	assert_int_equal(series(&a, answers, 2, "service", &got), 0);
	assert_string_equal(got.text, "b 10 7\nb 30 11\na 20 4\n");
	asked_release(&a);
	got.err = -EPIPE;
	assert_int_equal(series(&a, answers, 2, "service", &got), -EPIPE);
	assert_string_equal(got.text, "b 10 7\n");
	asked_release(&a);
}

/* A sum that overflows stays the largest number. */
static void test_large_sums(void **state)
{
	struct house_rows r = { .nr = 0 };
	struct house_answer answers[] = {
		HOUSE_ROWS(KINDS, usual_windows()),
		HOUSE_ROWS(GROUPED, &r),
	};
	struct points got = { .err = 0 };
	struct asked a;

	put_group(&r, 0, "a", 1, INT64_MAX);
	put_group(&r, 0, "a", 1, INT64_MAX);
	put_group(&r, 0, "b", 1, INT64_MIN);
	put_group(&r, 0, "b", 1, -1);
	assert_int_equal(series(&a, answers, 2, "service", &got), 0);
	assert_string_equal(got.text, "a 10 9223372036854775807\nb 10 -9223372036854775808\n");
	asked_release(&a);
	/* a negative sum is 0 */
	assert_int_equal(values(&a, answers, 2, "service", &got), 0);
	assert_string_equal(got.text, "a 9223372036854775807\n");
	asked_release(&a);
}

/* Classes that were not announced; the one after the last. */
static void test_classes(void **state)
{
	struct house_rows sets = { .nr = 0 }, r = { .nr = 0 };
	struct house_answer answers[] = {
		HOUSE_ROWS(KINDS, usual_windows()),
		HOUSE_ROWS(GROUPED, &r),
		HOUSE_ROWS(SETS, &sets),
	};
	const struct told told[] = { { 0, 0, 0 }, { 7, 0, 1 }, { 8, 0, 1 }, { 9, 0, 2 } };
	struct points got = { .err = 0 };
	uint32_t class;
	struct asked a;

	put_set(&sets, 7, "command,pid", "web,1");
	put_set(&sets, 8, "command,pid", "web,2");
	put_set(&sets, 9, "command", "db");
	put_group(&r, 1, "", 1, 5);
	put_group(&r, 2, "", 1, 3);
	assert_int_equal(series(&a, answers, 3, "command", &got), 0);
	assert_string_equal(got.text, "web 10 5\ndb 10 3\n");
	assert_true(house_got(&a.s, told, sizeof(told)));
	asked_release(&a);
	assert_int_equal(values(&a, answers, 3, "command", &got), 0);
	assert_string_equal(got.text, "db 3\nweb 5\n");
	asked_release(&a);
	/* of keys every set is a class */
	assert_int_equal(values(&a, answers, 3, NULL, &got), 0);
	assert_string_equal(got.text, "command 8\npid 8\n");
	asked_release(&a);
	for (class = 3; class; class = class == 3 ? UINT32_MAX : 0) {
		r = (struct house_rows){ .nr = 0 };
		put_group(&r, class, "", 1, 5);
		assert_int_equal(series(&a, answers, 3, "command", &got), -EBADMSG);
		asked_release(&a);
		assert_int_equal(values(&a, answers, 3, "command", &got), -EBADMSG);
		asked_release(&a);
	}
	r = (struct house_rows){ .nr = 0 };
	put_group(&r, 4, "", 1, 5);
	assert_int_equal(values(&a, answers, 3, NULL, &got), -EBADMSG);
	assert_string_equal(got.text, "");
	asked_release(&a);
}

/* Rows of another kind: a text where a class must be, and an error message instead of rows. */
static void test_other_rows(void **state)
{
	struct house_rows r = { .nr = 0 };
	struct house_answer answers[] = {
		HOUSE_ROWS(KINDS, usual_windows()),
		HOUSE_ROWS(GROUPED, &r),
	};
	struct points got = { .err = 0 };
	struct asked a;

	house_row(&r);
	house_text(&r, "what is this");
	assert_int_equal(series(&a, answers, 2, "service", &got), -EBADMSG);
	asked_release(&a);
	r = (struct house_rows){ .nr = 0 };
	put_group(&r, 0, "a", 1, 5);
	answers[1].tail = "Code: 159, e.displayText() = DB::Exception: Timeout exceeded";
	assert_int_equal(series(&a, answers, 2, "service", &got), -ETIME);
	assert_string_equal(got.text, "");
	asked_release(&a);
}

/* The requests for sums by hour and minute: those by minute do not know stacks and outcomes. */
static void test_rounded(void **state)
{
	static const struct {
		const char *selector, *label;
		uint64_t step_ns;
		const char *table;
	} cases[] = {
		{ "", NULL, 60 * SECOND, "FROM services_by_minute WHERE" },
		{ "service=\"a\"", "release", 120 * SECOND, "FROM services_by_minute WHERE" },
		{ "", "stack", HOUR, "FROM stacks_by_hour WHERE" },
		{ "stack=\"complete\"", "service", HOUR, "FROM stacks_by_hour WHERE" },
		{ "stack=\"complete\"", "service", 60 * SECOND, NULL },
		{ "", "service", 90 * SECOND, NULL },
		{ "", "host", HOUR, NULL },
		{ "", "command", HOUR, NULL },
	};
	const struct house_answer answer = HOUSE_ROWS(KINDS, usual_windows());
	struct points got = { .err = 0 };
	struct asked a;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		asked_begin(&a, &answer, 1, cases[i].selector);
		a.q.rounded = true;
		assert_int_equal(clickhouse_series(a.c, &a.q, cases[i].label, "samples",
						   cases[i].step_ns, take_point, &got, NULL, &a.diag),
				 cases[i].table ? 0 : -EINVAL);
		asked_stop(&a);
		if (cases[i].table)
			assert_non_null(house_asked(&a.s, cases[i].table));
		else
			assert_null(house_asked(&a.s, GROUPED));
		asked_release(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_selected), cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_machines), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_series), cmocka_unit_test(test_large_sums),
		cmocka_unit_test(test_classes), cmocka_unit_test(test_other_rows),
		cmocka_unit_test(test_rounded),
	};

	unsetenv("CLICKHOUSE_PASSWORD");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
