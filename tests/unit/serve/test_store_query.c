// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queries of a store compared with sums over single windows; selectors: their meaning, refusals
 * and reasons, and expressions that would take too long.
 */
#include "store_random.h"

#include <sys/resource.h>

#include "alloc_fail.h"
#include "serve/store/query.h"

enum { NR = 40 };

/* A store of NR windows in some segments. */
static char *make_store(void)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ .segment_bytes = 60000 });
	uint32_t i;

	random_state = 11;
	for (i = 0; i < NR; i++)
		append_window(s, i, NULL);
	store_close(s);
	return dir;
}

static const char *text_of(const struct profile *p, uint32_t labels, const char *key, char *buf)
{
	const struct profile_labels *set = &p->labels[labels];
	uint32_t i;

	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (strcmp(profile_text(p, l->key), key))
			continue;
		if (l->str)
			return profile_text(p, l->str);
		sprintf(buf, "%" PRId64, l->num);
		return buf;
	}
	return "";
}

typedef bool (*selects_fn)(const struct profile *p, uint32_t labels);

static bool all(const struct profile *p, uint32_t labels)
{
	return true;
}

static bool key0_is_text1(const struct profile *p, uint32_t labels)
{
	char buf[32];

	return !strcmp(text_of(p, labels, "key0", buf), "text1");
}

static bool key1_is_minus_1(const struct profile *p, uint32_t labels)
{
	char buf[32];

	return !strcmp(text_of(p, labels, "key1", buf), "-1");
}

static bool text_1_to_3_without_key3(const struct profile *p, uint32_t labels)
{
	char buf[32], c = text_of(p, labels, "key0", buf)[4 * !!text_of(p, labels, "key0", buf)[0]];

	return c >= '1' && c <= '3' && !text_of(p, labels, "key3", buf)[0];
}

/* Keeps only labels with this key; NULL keeps all. */
static void keep_labels(struct profile *p, const char *key)
{
	uint32_t i, k, to;

	for (i = 1; key && i < p->nr_labels; i++) {
		struct profile_label *l = p->label + p->labels[i].first;

		for (k = to = 0; k < p->labels[i].nr; k++)
			if (!strcmp(profile_text(p, l[k].key), key))
				l[to++] = l[k];
		p->labels[i].nr = to;
	}
}

/* Window by window, as profile_merge() adds them up. */
static struct profile *naive_sum(const char *dir, uint64_t from, uint64_t to, selects_fn selects,
				 const char *keep, uint64_t *windows)
{
	struct store_reader *r = must_read(dir, (struct store_position){ 0, 0 });
	struct profile *sum = profile_new(), *copy;
	struct store_window w;
	uint32_t i, nr;

	*windows = 0;
	while (store_reader_next(r, &w, NULL) > 0) {
		uint64_t middle = w.profile->time_ns + w.profile->duration_ns / 2;

		if (middle < from || middle >= to)
			continue;
		++*windows;
		copy = profile_new();
		profile_merge(copy, w.profile);
		for (i = nr = 0; i < copy->nr_samples; i++)
			if (selects(copy, copy->samples[i].labels))
				copy->samples[nr++] = copy->samples[i];
		copy->nr_samples = nr;
		keep_labels(copy, keep);
		profile_merge(sum, copy);
		profile_free(copy);
	}
	store_reader_free(r);
	return sum;
}

static void check_sum(const char *dir, const char *selector, selects_fn selects, uint64_t from,
		      uint64_t to, const char *keep)
{
	const char *keys[] = { keep, NULL };
	struct store_query q = { .from_ns = from, .to_ns = to, .keep = keep ? keys : NULL };
	struct profile *sum = profile_new(), *want;
	struct store_coverage c;
	struct diag diag;
	uint64_t windows;

	assert_int_equal(store_selector_new(selector, &q.selector, &diag), 0);
	assert_int_equal(store_sum(dir, &q, sum, &c, &diag), 0);
	want = naive_sum(dir, from, to ? to : UINT64_MAX, selects, keep, &windows);
	assert_int_equal(c.windows, windows);
	assert_int_equal(c.bad, 0);
	assert_same_profile(sum, want);
	store_selector_free(q.selector);
	profile_free(sum);
	profile_free(want);
}

static void test_sum(void **state)
{
	static const struct {
		const char *selector;
		selects_fn selects;
	} ways[] = {
		{ NULL, all },
		{ "{ }", all },
		{ "key0=\"text1\"", key0_is_text1 },
		{ "key1 = '-1'", key1_is_minus_1 },
		{ "{key0=~`text[1-3].*`,key3!~\".+\",}", text_1_to_3_without_key3 },
		{ "key0=~\"te(xt)[123].*\", key3=\"\"", text_1_to_3_without_key3 },
	};
	char *dir = make_store();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		check_sum(dir, ways[i].selector, ways[i].selects, 0, 0, NULL);
		check_sum(dir, ways[i].selector, ways[i].selects, 0, 0, "key1");
		check_sum(dir, ways[i].selector, ways[i].selects, BEGIN + 95 * SECOND,
			  BEGIN + 205 * SECOND, NULL);
		check_sum(dir, ways[i].selector, ways[i].selects, BEGIN + 94 * SECOND, 0, "none");
	}
	/* earlier contents are added to */
	{
		struct store_query q = { .from_ns = BEGIN, .to_ns = BEGIN + 100 * SECOND };
		struct profile *sum = profile_new(), *want;
		uint64_t windows;

		assert_int_equal(store_sum(dir, &q, sum, NULL, NULL), 0);
		q.from_ns = q.to_ns;
		q.to_ns = 0;
		assert_int_equal(store_sum(dir, &q, sum, NULL, NULL), 0);
		want = naive_sum(dir, 0, UINT64_MAX, all, NULL, &windows);
		assert_same_profile(sum, want);
		profile_free(sum);
		profile_free(want);
	}
	remove_dir(dir);
}

/* The lines of a series. */
struct lines {
	char *text;
	size_t len;
	FILE *out;
};

static int say_point(const struct store_point *p, void *arg)
{
	fprintf(arg, "%s %" PRIu64 " %" PRId64 "\n", p->group, (p->at_ns - BEGIN) / SECOND, p->value);
	return 0;
}

static int say_value(const char *text, uint64_t samples, void *arg)
{
	fprintf(arg, "%s %" PRIu64 "\n", text, samples);
	return 0;
}

/* Three windows of known samples: (command, pid, samples) each. */
static char *make_known(void)
{
	static const struct {
		uint32_t window;
		const char *command;
		int64_t pid;
		int64_t samples;
	} known[] = { { 0, "a", 1, 5 }, { 0, "b", 2, 1 }, { 1, "a", 1, 2 }, { 2, "b", 3, 100 },
		      { 2, NULL, 3, 6 } };
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	uint32_t w, i;

	for (w = 0; w < 3; w++) {
		struct profile *p = profile_new();

		p->time_ns = BEGIN + w * 10 * SECOND;
		p->duration_ns = 10 * SECOND;
		if (w == 2)
			profile_value_type(p, "other", "bytes");
		profile_value_type(p, "samples", "count");
		for (i = 0; i < ARRAY_SIZE(known); i++) {
			struct profile_label set[2] = {
				{ .key = profile_string(p, "pid"), .num = known[i].pid },
				{ .key = profile_string(p, "command"),
				  .str = profile_string(p, known[i].command) },
			};
			int64_t value[PROFILE_MAX_VALUES] = { known[i].samples, known[i].samples };

			if (known[i].window == w)
				profile_add(p, profile_stack(p, 0, profile_location(p, 0, i + 1)),
					    profile_labels(p, set, known[i].command ? 2 : 1), value);
		}
		assert_int_equal(store_append(s, p, NULL, NULL), 0);
		profile_free(p);
	}
	store_close(s);
	return dir;
}

static void check_series(const char *dir, const char *label, const char *type, uint64_t step,
			 const char *want)
{
	struct store_query q = { .from_ns = 0 };
	struct lines l = { NULL, 0, NULL };

	l.out = open_memstream(&l.text, &l.len);
	assert_int_equal(store_series(dir, &q, label, type, step, say_point, l.out, NULL, NULL), 0);
	fclose(l.out);
	assert_string_equal(l.text, want);
	free(l.text);
}

static void check_values(const char *dir, const char *label, const char *selector, const char *want)
{
	struct store_query q = { .from_ns = 0 };
	struct lines l = { NULL, 0, NULL };
	struct store_coverage c;

	assert_int_equal(store_selector_new(selector, &q.selector, NULL), 0);
	l.out = open_memstream(&l.text, &l.len);
	assert_int_equal(store_values(dir, &q, label, say_value, l.out, &c, NULL), 0);
	fclose(l.out);
	assert_string_equal(l.text, want);
	assert_int_equal(c.windows, 3);
	assert_int_equal(c.first_ns, BEGIN);
	assert_int_equal(c.last_ns, BEGIN + 30 * SECOND);
	assert_int_equal(c.recorded_ns, 30 * SECOND);
	free(l.text);
	store_selector_free(q.selector);
}

static void test_series_and_values(void **state)
{
	char *dir = make_known();

	/* BEGIN is a multiple of 20 seconds */
	assert_int_equal(BEGIN % (20 * SECOND), 0);
	check_series(dir, "command", "samples", 10 * SECOND, "b 0 1\nb 20 100\na 0 5\na 10 2\n 20 6\n");
	check_series(dir, "command", "samples", 20 * SECOND, "b 0 1\nb 20 100\na 0 7\n 20 6\n");
	check_series(dir, NULL, "samples", 10 * SECOND, " 0 6\n 10 2\n 20 106\n");
	check_series(dir, "pid", "other", 20 * SECOND, "3 20 106\n");
	check_series(dir, "pid", "none", 20 * SECOND, "");
	check_values(dir, "command", NULL, "a 7\nb 101\n");
	check_values(dir, "pid", "command!=''", "1 7\n2 1\n3 100\n");
	check_values(dir, NULL, NULL, "command 108\npid 114\n");
	check_values(dir, "none", NULL, "");
	remove_dir(dir);
}

static void say_window(uint64_t middle_ns, uint64_t recorded_ns, void *arg)
{
	fprintf(arg, "%" PRIu64 " %" PRIu64 "\n", (middle_ns - BEGIN) / SECOND, recorded_ns / SECOND);
}

/* One window of BEGIN + @start, of ten seconds. */
static void append_at(struct store *s, uint64_t start)
{
	struct profile *p = profile_new();
	const int64_t value[PROFILE_MAX_VALUES] = { 1 };

	p->time_ns = BEGIN + start * SECOND;
	p->duration_ns = 10 * SECOND;
	profile_value_type(p, "samples", "count");
	profile_add(p, profile_stack(p, 0, profile_location(p, 0, 1)), 0, value);
	assert_int_equal(store_append(s, p, NULL, NULL), 0);
	profile_free(p);
}

/* Each window of an answer is reported, with the time that no window before it has covered. */
static void test_windows(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct lines l = { NULL, 0, NULL };
	struct store_query q = { .from_ns = BEGIN + 20 * SECOND, .window = say_window };
	struct store_coverage c;

	append_at(s, 0);
	append_at(s, 20);
	append_at(s, 26);
	append_at(s, 100);
	store_close(s);
	l.out = open_memstream(&l.text, &l.len);
	q.window_arg = l.out;
	assert_int_equal(store_series(dir, &q, NULL, "samples", SECOND, say_point, l.out, &c, NULL), 0);
	fclose(l.out);
	assert_string_equal(l.text, "25 10\n31 6\n105 10\n 25 1\n 31 1\n 105 1\n");
	assert_int_equal(c.recorded_ns, 26 * SECOND);
	free(l.text);
	remove_dir(dir);
}

static int stop_taking(const struct store_point *p, void *arg)
{
	return -ECANCELED;
}

static bool stop(void *arg)
{
	return ++*(int *)arg > 2;
}

static void test_ends(void **state)
{
	char *dir = make_known();
	int asked = 0;
	struct store_query q = { .stop = stop, .arg = &asked };
	struct profile *sum = profile_new();

	assert_int_equal(store_sum(dir, &q, sum, NULL, NULL), -EINTR);
	q.stop = NULL;
	assert_int_equal(store_series(dir, &q, NULL, "samples", SECOND, stop_taking, NULL, NULL, NULL),
			 -ECANCELED);
	assert_int_equal(store_sum("/not/there", &q, sum, NULL, NULL), -ENOENT);
	profile_free(sum);
	remove_dir(dir);
}

/*
 * An error that cannot be repaired is reported, and not retried for ever: the folder cannot be
 * read.
 */
static void test_no_descriptors(void **state)
{
	char *dir = make_known();
	struct store_query q = { .from_ns = 0 };
	struct profile *sum = profile_new();
	struct rlimit was, less;
	int fd = dup(0);

	assert_true(fd >= 0);
	close(fd);
	getrlimit(RLIMIT_NOFILE, &was);
	less = was;
	less.rlim_cur = (rlim_t)fd + 1;
	setrlimit(RLIMIT_NOFILE, &less);
	assert_int_equal(store_sum(dir, &q, sum, NULL, NULL), -EMFILE);
	setrlimit(RLIMIT_NOFILE, &was);
	assert_int_equal(store_sum(dir, &q, sum, NULL, NULL), 0);
	profile_free(sum);
	remove_dir(dir);
}

/* A window whose middle is after the end of time is in no answer. */
static void test_end_of_time(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct profile *p = profile_new(), *sum = profile_new();
	struct store_query q = { .from_ns = 0 };
	struct store_coverage c;

	append_at(s, 0);
	p->time_ns = UINT64_MAX - 5;
	p->duration_ns = 10;
	assert_int_equal(store_append(s, p, NULL, NULL), 0);
	p->duration_ns = 12;
	assert_int_equal(store_append(s, p, NULL, NULL), 0);
	store_close(s);
	assert_int_equal(store_sum(dir, &q, sum, &c, NULL), 0);
	assert_int_equal(c.windows, 2);
	profile_free(p);
	profile_free(sum);
	remove_dir(dir);
}

static void refuse(const char *selector, const char *why)
{
	struct store_selector *s;
	struct diag diag;

	assert_int_equal(store_selector_new(selector, &s, &diag), -EINVAL);
	assert_string_equal(diag.text, why);
}

static void test_refused(void **state)
{
	refuse("a", "at 1 of the selector: one of = != =~ !~ is missing");
	refuse("a=b", "at 2 of the selector: a text in quotes is missing, such as "
	       "unit=\"nginx.service\"");
	refuse("=\"b\"", "at 0 of the selector: a label is missing");
	refuse("a=\"b", "at 4 of the selector: the quote does not end");
	refuse("a=\"\\y\"", "at 4 of the selector: an unknown character after a backslash");
	refuse("a=\"\\x0\"", "at 4 of the selector: an unknown character after a backslash");
	refuse("a=\"b\" c=\"d\"", "at 6 of the selector: a comma is missing");
	refuse("{a=\"b\"", "at 6 of the selector: a comma or } is missing");
	refuse("{a=\"b\"} c", "at 8 of the selector: text follows the }");
	refuse("a=\"b\",,", "at 6 of the selector: a label is missing");
	refuse("a=~\"(*UCP)b\"", "a regular expression that begins with a verb");
	refuse("a=~\"(\"", "at 1 of the regular expression: missing closing parenthesis");
	refuse("a=~\"\xff\"", "at 0 of the regular expression: UTF-8 error: illegal byte (0xfe or 0xff)");
}

/* Labels of one set of a separate profile. */
static bool matches(const char *selector, const char *text)
{
	struct profile *p = profile_new();
	struct profile_label l = { .key = profile_string(p, "a.b"), .str = profile_string(p, text) };
	uint32_t labels = profile_labels(p, &l, text ? 1 : 0);
	struct store_selector *s;
	bool ret;

	assert_int_equal(store_selector_new(selector, &s, NULL), 0);
	ret = store_selector_matches(s, p, labels);
	assert_int_equal(store_selector_error(s), 0);
	store_selector_free(s);
	profile_free(p);
	return ret;
}

static void test_meaning(void **state)
{
	assert_true(matches("a.b=\"x\"", "x"));
	assert_true(matches("\"a.b\" = \"x\"", "x"));
	assert_false(matches("a.b=\"x\"", "xy"));
	assert_true(matches("a.b!=\"x\"", "xy"));
	assert_true(matches("a.b!=\"x\"", NULL));
	assert_true(matches("a.b=\"\"", NULL));
	assert_true(matches("a.b=~\"x|xyz\"", "xyz"));
	assert_false(matches("a.b=~\"x\"", "xy"));
	assert_true(matches("a.b=~\"x.*\"", "x\ny"));
	assert_true(matches("a.b=~\".\"", "\xc3\xa4"));
	assert_true(matches("a.b=~\"x.*|\"", NULL));
	assert_false(matches("a.b!~\"x.*\"", "xyz"));
	assert_true(matches("a.b=\"\\x41\\n\\\"\\\\\"", "A\n\"\\"));
	assert_true(matches("a.b=`\\x41`", "\\x41"));
	/* bytes that are not UTF-8 match only an expression for anything but a character */
	assert_false(matches("a.b=~\".\"", "\xff"));
}

/* It ends, and does not report a wrong result. */
static void test_for_ever(void **state)
{
	struct profile *p = profile_new(), *sum = profile_new();
	struct profile_label l = { .key = profile_string(p, "command") };
	struct store_query q = { .from_ns = 0 };
	int64_t value[PROFILE_MAX_VALUES] = { 1 };
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct diag diag;

	l.str = profile_string(p, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
	profile_value_type(p, "samples", "count");
	profile_add(p, 0, profile_labels(p, &l, 1), value);
	assert_int_equal(store_append(s, p, NULL, NULL), 0);
	assert_int_equal(store_selector_new("command=~'(a+)+[bc]'", &q.selector, &diag), 0);
	assert_int_equal(store_sum(dir, &q, sum, NULL, &diag), -E2BIG);
	assert_string_equal(diag.text, "a regular expression takes too long for some label");
	store_selector_free(q.selector);
	profile_free(p);
	profile_free(sum);
	store_close(s);
	remove_dir(dir);
}

/* A bad segment is left out and reported; the other segments are there. */
static void test_bad_segment(void **state)
{
	char *dir = make_store(), *command;
	struct store_query q = { .from_ns = 0 };
	struct profile *sum = profile_new();
	struct store_coverage before, after;
	struct diag diag = { .text = "" };

	assert_int_equal(store_sum(dir, &q, sum, &before, &diag), 0);
	assert_true(asprintf(&command, "f=$(ls %s/*.seg | head -2 | tail -1) && "
			     "printf '\\377\\377' | dd of=$f bs=1 seek=300 conv=notrunc status=none",
			     dir) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	profile_free(sum);
	sum = profile_new();
	assert_int_equal(store_sum(dir, &q, sum, &after, &diag), 0);
	assert_int_equal(after.bad, 1);
	assert_true(after.windows < before.windows && after.windows > 0);
	assert_non_null(strstr(diag.text, "the checksum of a record is wrong"));
	assert_string_equal(diag.file, dir);
	profile_free(sum);
	remove_dir(dir);
}

static void test_no_memory(void **state)
{
	char *dir = make_known();
	struct store_query q = { .from_ns = 0 };
	struct profile *sum;
	struct lines l = { NULL, 0, NULL };
	uint32_t i, way;
	int err;

	for (way = 0; way < 4; way++) {
		for (i = 0, err = -ENOMEM; err; i++) {
			sum = profile_new();
			l.out = open_memstream(&l.text, &l.len);
			alloc_left = (long)i;
			err = store_selector_new("pid=~'.*'", &q.selector, NULL);
			if (!err && way == 0)
				err = store_sum(dir, &q, sum, NULL, NULL);
			if (!err && way == 1)
				err = store_series(dir, &q, "pid", "samples", SECOND, say_point, l.out,
						   NULL, NULL);
			if (!err && way > 1)
				err = store_values(dir, &q, way == 2 ? "pid" : NULL, say_value, l.out,
						   NULL, NULL);
			alloc_left = -1;
			assert_true(!err || err == -ENOMEM);
			store_selector_free(q.selector);
			q.selector = NULL;
			profile_free(sum);
			fclose(l.out);
			free(l.text);
		}
		assert_true(i > 10);
	}
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_series_and_values),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_no_descriptors),
		cmocka_unit_test(test_end_of_time),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_meaning),
		cmocka_unit_test(test_for_ever),
		cmocka_unit_test(test_bad_segment),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
