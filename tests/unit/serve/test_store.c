// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store: windows are read back as they were, by position and by time, across segments and
 * restarts; limits are kept; numbers are not reused; names that came later are there; and every
 * failed allocation leaves the store intact.
 */
#include "serve/store/writer.h"

#include "store_random.h"

#include "alloc_fail.h"
#include "rounds.h"

/* Checks that all windows of a store are those of @seed, from @from to @to. */
static void check_windows(const char *dir, uint64_t seed, uint32_t from, uint32_t to)
{
	struct store_reader *r = must_read(dir, (struct store_position){ 0, 0 });
	struct store_position last = { 0, 0 };
	struct store_window w;
	struct diag diag;
	struct profile *p;
	uint32_t i;

	random_state = seed;
	for (i = 0; i < to; i++) {
		p = random_window(i);
		if (i >= from) {
			assert_int_equal(store_reader_next(r, &w, &diag), 1);
			assert_same_profile(w.profile, p);
			assert_true(w.at.segment > last.segment ||
				    (w.at.segment == last.segment && w.at.record == last.record));
			last = w.next;
		}
		profile_free(p);
	}
	assert_int_equal(store_reader_next(r, &w, &diag), 0);
	assert_int_equal(store_reader_next(r, &w, &diag), 0);
	store_reader_free(r);
}

static void round_trip(uint64_t seed, struct store_options o, uint32_t nr, uint32_t reopen)
{
	char *dir = make_dir();
	struct notes notes = { .nr = 0 };
	struct store_position at, before = { 0, 0 };
	struct store_info info;
	struct store *s;
	uint32_t i;

	o.note = take_note;
	o.arg = &notes;
	s = must_open(dir, o);
	random_state = seed;
	for (i = 0; i < nr; i++) {
		if (reopen && i % reopen == reopen - 1) {
			store_close(s);
			s = must_open(dir, o);
		}
		append_window(s, i, &at);
		assert_true(at.segment > before.segment || at.record > before.record);
		before = at;
	}
	store_info(s, &info);
	assert_int_equal(info.first_ns, BEGIN);
	assert_true(info.segments >= 1 && info.bytes > 0);
	assert_int_equal(notes.nr, 0);
	check_windows(dir, seed, 0, nr);
	store_close(s);
	check_windows(dir, seed, 0, nr);
	remove_dir(dir);
}

static void test_round_trip(void **state)
{
	const uint64_t seeds = rounds(5, 1);
	uint64_t seed;

	for (seed = 1; seed <= seeds; seed++) {
		round_trip(seed, (struct store_options){ 0 }, 30, 0);
		round_trip(seed, (struct store_options){ 0 }, 30, 7);
		round_trip(seed, (struct store_options){ .segment_bytes = 30000 }, 30, 0);
		round_trip(seed, (struct store_options){ .segment_bytes = 1 }, 10, 3);
		round_trip(seed, (struct store_options){ .segment_ns = 1 }, 10, 4);
		round_trip(seed, (struct store_options){ .segment_definitions = 5000 }, 30, 7);
	}
}

/* The definitions of a segment are in memory while it is being written. */
static void test_definitions_end_segments(void **state)
{
	struct store_info info = { 0 }, one = { 0 };
	uint64_t most[] = { 0, 5000 };
	unsigned int k, i;

	for (k = 0; k < 2; k++) {
		char *dir = make_dir();
		struct store *s = must_open(dir, (struct store_options){
			.segment_definitions = most[k] });
		struct store_position at;

		random_state = 1;
		for (i = 0; i < 30; i++)
			append_window(s, i, &at);
		store_info(s, k ? &info : &one);
		store_close(s);
		remove_dir(dir);
	}
	assert_int_equal(one.segments, 1);
	assert_true(info.segments > 3);
}

/* One segment, which a new process continues. */
static void test_goes_on(void **state)
{
	char *dir = make_dir();
	struct store_info info;
	struct store_position a, b;
	struct store *s;

	s = must_open(dir, (struct store_options){ 0 });
	append_window(s, 0, &a);
	store_close(s);
	s = must_open(dir, (struct store_options){ 0 });
	append_window(s, 1, &b);
	store_info(s, &info);
	assert_int_equal(info.segments, 1);
	assert_int_equal(info.windows, 1);
	assert_int_equal(a.segment, b.segment);
	assert_int_equal(a.record, 1);
	assert_int_equal(b.record, 2);
	assert_int_equal(store_sync(s, NULL), 0);
	store_close(s);
	remove_dir(dir);
}

static struct profile *one_sample(uint32_t window, const char *name)
{
	struct profile *p = profile_new();
	struct profile_mapping m = { .start = 0x1000, .limit = 0x2000,
				     .file = profile_string(p, "prog") };
	struct profile_function f = { .name = profile_string(p, name) };
	struct profile_line line = { .line = 3 };
	int64_t value[PROFILE_MAX_VALUES] = { 1 };
	uint32_t location;

	p->time_ns = BEGIN + window * 10 * SECOND;
	p->duration_ns = 10 * SECOND;
	profile_value_type(p, "samples", "count");
	if (name)
		line.function = profile_function(p, &f);
	location = profile_location_named(p, profile_mapping(p, &m), 0x1234, &line, !!name);
	profile_add(p, profile_stack(p, 0, location), 0, value);
	return p;
}

static void append_one(struct store *s, uint32_t window, const char *name)
{
	struct profile *p = one_sample(window, name);

	assert_int_equal(store_append(s, p, NULL, NULL), 0);
	profile_free(p);
}

static void next_is_named(struct store_reader *r, const char *name)
{
	struct store_window w;
	const struct profile *p;

	assert_int_equal(store_reader_next(r, &w, NULL), 1);
	p = w.profile;
	assert_int_equal(p->nr_locations, 2);
	assert_int_equal(p->locations[1].nr_lines, name ? 1 : 0);
	if (name)
		assert_string_equal(profile_text(p, p->functions[p->lines[0].function].name), name);
}

/* A name applies to all windows of its segment, for a reader that reads after it came. */
static void test_names_later(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct store_position none = { 0, 0 };
	struct store_reader *early, *late;

	append_one(s, 0, NULL);
	append_one(s, 1, NULL);
	early = must_read(dir, none);
	next_is_named(early, NULL);
	append_one(s, 2, "main");
	append_one(s, 3, NULL);
	append_one(s, 4, "other");
	late = must_read(dir, none);
	next_is_named(late, "main");
	next_is_named(late, "main");
	next_is_named(late, "main");
	next_is_named(late, "main");
	next_is_named(late, "other");
	/* names known by then, and names known since */
	next_is_named(early, NULL);
	next_is_named(early, "main");
	next_is_named(early, "main");
	store_reader_free(early);
	store_reader_free(late);
	/* the next writer knows them, too */
	store_close(s);
	s = must_open(dir, (struct store_options){ 0 });
	append_one(s, 5, NULL);
	late = must_read(dir, (struct store_position){ UINT64_MAX, 0 });
	assert_int_equal(store_reader_next(late, &(struct store_window){ 0 }, NULL), 0);
	store_reader_free(late);
	store_close(s);
	remove_dir(dir);
}

static void test_positions(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ .segment_bytes = 20000 });
	struct store_position at[40] = { { 0, 0 } }, end;
	struct store_window w;
	struct store_reader *r;
	uint32_t i;

	store_end(s, &end);
	assert_memory_equal(&end, &at[0], sizeof(end));
	for (i = 0; i < 39; i++) {
		append_window(s, i, &at[i + 1]);
		store_end(s, &end);
		assert_memory_equal(&end, &at[i + 1], sizeof(end));
	}
	assert_true(at[39].segment > at[1].segment + 2);
	/* also for a reader that comes later */
	store_close(s);
	s = must_open(dir, (struct store_options){ .segment_bytes = 20000 });
	store_end(s, &end);
	assert_memory_equal(&end, &at[39], sizeof(end));
	for (i = 0; i < 39; i++) {
		r = must_read(dir, at[i]);
		assert_int_equal(store_reader_next(r, &w, NULL), 1);
		assert_int_equal(window_number(w.profile), i);
		assert_memory_equal(&w.next, &at[i + 1], sizeof(w.next));
		store_reader_free(r);
	}
	/* at the end: new windows are found */
	r = must_read(dir, at[39]);
	assert_int_equal(store_reader_next(r, &w, NULL), 0);
	for (i = 39; i < 60; i++) {
		append_window(s, i, NULL);
		assert_int_equal(store_reader_next(r, &w, NULL), 1);
		assert_int_equal(window_number(w.profile), i);
		assert_int_equal(store_reader_next(r, &w, NULL), 0);
	}
	store_reader_free(r);
	store_close(s);
	remove_dir(dir);
}

static void test_times(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ .segment_bytes = 20000 });
	struct store_window w;
	struct store_reader *r;
	uint32_t from, to, i;

	for (i = 0; i < 40; i++)
		append_window(s, i, NULL);
	for (from = 0; from < 42; from += 3) {
		for (to = from + 1; to < 44; to += 5) {
			r = must_read(dir, (struct store_position){ 0, 0 });
			store_reader_times(r, BEGIN + from * 10 * SECOND + 5 * SECOND,
					   BEGIN + to * 10 * SECOND);
			for (i = from; i < to && i < 40; i++) {
				assert_int_equal(store_reader_next(r, &w, NULL), 1);
				assert_int_equal(window_number(w.profile), i);
			}
			assert_int_equal(store_reader_next(r, &w, NULL), 0);
			store_reader_free(r);
		}
	}
	r = must_read(dir, (struct store_position){ 0, 0 });
	store_reader_times(r, BEGIN + 380 * SECOND, 0);
	assert_int_equal(store_reader_next(r, &w, NULL), 1);
	assert_int_equal(store_reader_next(r, &w, NULL), 1);
	assert_int_equal(store_reader_next(r, &w, NULL), 0);
	store_reader_free(r);
	store_close(s);
	remove_dir(dir);
}

static uint64_t dir_bytes(const char *dir)
{
	char *command;
	uint64_t bytes = 0;
	FILE *in;

	assert_true(asprintf(&command, "cat %s/*.seg | wc -c", dir) > 0);
	in = popen(command, "r");
	assert_int_equal(fscanf(in, "%" SCNu64, &bytes), 1);
	pclose(in);
	free(command);
	return bytes;
}

static void test_max_bytes(void **state)
{
	char *dir = make_dir();
	struct store_options o = { .max_bytes = 200000 };
	struct store *s = must_open(dir, o);
	struct store_reader *r;
	struct store_info info;
	struct store_window w;
	uint32_t i;

	random_state = 7;
	for (i = 0; i < 150; i++) {
		append_window(s, i, NULL);
		store_info(s, &info);
		assert_true(info.bytes <= o.max_bytes);
		if (i % 10 == 0)
			assert_int_equal(dir_bytes(dir), info.bytes);
	}
	assert_true(info.removed > 2 && info.segments > 2);
	assert_true(info.bytes > o.max_bytes / 2);
	r = must_read(dir, (struct store_position){ 0, 1 });
	assert_int_equal(store_reader_next(r, &w, NULL), 1);
	assert_int_equal(w.profile->time_ns, info.first_ns);
	i = window_number(w.profile);
	store_reader_free(r);
	check_windows(dir, 7, i, 150);
	/* a lower limit applies at once */
	o.max_bytes = 100000;
	store_limits(s, &o);
	store_expire(s);
	store_info(s, &info);
	assert_true(info.bytes <= 100000 && info.segments);
	/* and no more of it than necessary */
	assert_true(info.bytes > 50000);
	store_close(s);
	remove_dir(dir);
}

/* A window that no store of this size can hold is refused, and nothing else is lost. */
static void test_too_large(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ .max_bytes = 3000 });
	struct store_position last, end;
	struct diag diag;
	struct profile *p;

	random_state = 5;
	append_one(s, 0, "main");
	store_end(s, &last);
	do {
		p = random_window(1);
		if (p->nr_samples > 100)
			break;
		profile_free(p);
	} while (1);
	assert_int_equal(store_append(s, p, NULL, &diag), -EFBIG);
	assert_string_equal(diag.text, "the window is larger than the store allows");
	profile_free(p);
	/* its segment is full: the next window comes after it */
	store_end(s, &end);
	assert_true(end.segment > last.segment);
	assert_int_equal(end.record, 0);
	append_one(s, 1, "main");
	store_close(s);
	assert_true(dir_bytes(dir) > 0 && dir_bytes(dir) <= 3000);
	remove_dir(dir);
}

static uint64_t real_ns(void)
{
	return (uint64_t)time(NULL) * SECOND;
}

static void append_at(struct store *s, uint64_t ns)
{
	struct profile *p = one_sample(0, "main");

	p->time_ns = ns;
	assert_int_equal(store_append(s, p, NULL, NULL), 0);
	profile_free(p);
}

static void test_max_age(void **state)
{
	char *dir = make_dir();
	struct store_options o = { .segment_bytes = 1 };
	struct store *s = must_open(dir, o);
	struct store_info info;
	uint32_t i;

	/* ten hours, with one segment each */
	for (i = 10; i; i--)
		append_at(s, real_ns() - i * 3600 * SECOND);
	store_info(s, &info);
	assert_int_equal(info.segments, 10);
	o.max_age_ns = 9 * 1800 * SECOND;
	store_limits(s, &o);
	/* the clock may have been wrong until now, or has just been set */
	store_expire(s);
	s->even_ns -= 3601 * SECOND;
	s->clock_offset -= 11 * SECOND;
	store_expire(s);
	store_info(s, &info);
	assert_int_equal(info.segments, 10);
	s->even_ns -= 3601 * SECOND;
	s->clock_offset -= 9 * SECOND;
	store_expire(s);
	store_info(s, &info);
	assert_int_equal(info.segments, 4);
	assert_int_equal(info.removed, 6);
	/* the open segment stays, however old it is */
	o.max_age_ns = 1;
	store_limits(s, &o);
	store_expire(s);
	store_info(s, &info);
	assert_true(info.segments <= 1);
	store_close(s);
	remove_dir(dir);
}

/* The clock goes back: the order is that of appending, and times stay as they are. */
static void test_clock_back(void **state)
{
	static const uint32_t order[] = { 50, 51, 3, 4, 52, 0 };
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct store_reader *r = must_read(dir, (struct store_position){ 0, 0 });
	struct store_info info;
	struct store_window w;
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(order); i++)
		append_window(s, order[i], NULL);
	store_info(s, &info);
	assert_int_equal(info.first_ns, BEGIN);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		assert_int_equal(store_reader_next(r, &w, NULL), 1);
		assert_int_equal(window_number(w.profile), order[i]);
	}
	store_reader_free(r);
	r = must_read(dir, (struct store_position){ 0, 0 });
	store_reader_times(r, BEGIN, BEGIN + 100 * SECOND);
	for (i = 0; i < 3; i++)
		assert_int_equal(store_reader_next(r, &w, NULL), 1);
	assert_int_equal(store_reader_next(r, &w, NULL), 0);
	store_reader_free(r);
	store_close(s);
	remove_dir(dir);
}

static uint64_t next_number(const char *dir)
{
	struct store *s = must_open(dir, (struct store_options){ .segment_bytes = 1 });
	struct store_position at;

	append_window(s, 0, &at);
	store_close(s);
	return at.segment;
}

static void test_numbers(void **state)
{
	char *dir = make_dir();
	uint64_t first = next_number(dir), now = (uint64_t)time(NULL);

	assert_true(first >= now - 5 && first <= now + 5);
	assert_int_equal(next_number(dir), first + 1);
	in_dir(dir, "rm *.seg");
	assert_int_equal(next_number(dir), first + 2);
	in_dir(dir, "rm last");
	assert_int_equal(next_number(dir), first + 3);
	in_dir(dir, "echo nonsense > last && mv $(ls *.seg | tail -1) $(ls *.seg | tail -1).bad");
	assert_int_equal(next_number(dir), first + 4);
	in_dir(dir, "rm *.seg* && echo 18446744073709551615 > last");
	{
		struct store *s = must_open(dir, (struct store_options){ 0 });
		struct profile *p = one_sample(0, NULL);
		struct diag diag;

		assert_int_equal(store_append(s, p, NULL, &diag), -EOVERFLOW);
		profile_free(p);
		store_close(s);
	}
	remove_dir(dir);
}

static void test_one_writer(void **state)
{
	char *dir = make_dir();
	struct store_options o = { 0 };
	struct store *s = must_open(dir, o), *t;
	struct diag diag;
	struct stat st;
	char path[200];

	append_window(s, 0, NULL);
	assert_int_equal(store_open(dir, &o, &t, &diag), -EBUSY);
	assert_string_equal(diag.text, "another process writes to it");
	assert_string_equal(diag.file, dir);
	store_close(s);
	assert_int_equal(chmod(dir, 0770), 0);
	assert_int_equal(store_open(dir, &o, &t, &diag), -EPERM);
	assert_int_equal(chmod(dir, 0755), 0);
	store_close(must_open(dir, o));
	snprintf(path, sizeof(path), "%s/new", dir);
	store_close(must_open(path, o));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	snprintf(path, sizeof(path), "%s/not/there", dir);
	assert_int_equal(store_open(path, &o, &t, &diag), -ENOENT);
	assert_int_equal(store_reader_new(path, &(struct store_position){ 0 }, NULL, &diag),
			 -ENOENT);
	in_dir(dir, "test -z \"$(find . -type f ! -perm 600)\"");
	remove_dir(dir);
	store_close(NULL);
	store_reader_free(NULL);
}

/* Every allocation fails once, and then the window is in the store. */
static void append_without_memory(struct store *s, uint32_t number)
{
	struct profile *p = random_window(number);
	struct diag diag;
	int err = -ENOMEM;
	long i;

	for (i = 0; err; i++) {
		assert_int_equal(err, -ENOMEM);
		/*
		 * many more attempts than a window needs: otherwise a permanent error would
		 * loop for ever
		 */
		assert_true(i < 1000);
		alloc_left = i;
		err = store_append(s, p, NULL, &diag);
		alloc_left = -1;
	}
	assert_true(i > 3);
	profile_free(p);
}

/* Every allocation fails once; appended windows are there. */
static void test_no_memory(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct store_reader *r = NULL;
	struct store_window w;
	struct diag diag;
	uint32_t i;
	int err, n;

	random_state = 3;
	append_without_memory(s, 0);
	append_without_memory(s, 1);
	store_close(s);
	for (i = 0;; i++) {
		alloc_left = (long)i;
		err = store_open(dir, &(struct store_options){ 0 }, &s, &diag);
		alloc_left = -1;
		if (!err)
			break;
		assert_int_equal(err, -ENOMEM);
	}
	store_close(s);
	assert_true(i > 3);
	for (i = 0, n = 0; n < 2; i++) {
		alloc_left = (long)i;
		err = store_reader_new(dir, &(struct store_position){ 0 }, &r, &diag);
		for (n = 0; !err && (err = store_reader_next(r, &w, &diag)) > 0; n++)
			;
		alloc_left = -1;
		assert_true(!err || err == -ENOMEM);
		/* and the same reader continues */
		while (err == -ENOMEM && i > 8 && store_reader_next(r, &w, &diag) > 0)
			n++;
		if (i > 8)
			assert_int_equal(n, 2);
		if (r)
			store_reader_free(r);
		r = NULL;
	}
	check_windows(dir, 3, 0, 2);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_definitions_end_segments),
		cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_names_later),
		cmocka_unit_test(test_positions),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_max_bytes),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_max_age),
		cmocka_unit_test(test_clock_back),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_one_writer),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
