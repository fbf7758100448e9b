// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store's folder: files that are not segments, files that were set aside and for how long,
 * files that cannot be removed; and that all descriptors are closed.
 */
#include "serve/store/writer.h"

#include "store_random.h"

#include <dirent.h>

/* Opens the store, appends one window, closes it. Return: number of its segment. */
static uint64_t next_number(const char *dir)
{
	struct notes notes = { .nr = 0 };
	struct store *s = must_open(dir, (struct store_options){
		.segment_bytes = 1, .note = take_note, .arg = &notes });
	struct store_position at;

	append_window(s, 0, &at);
	store_close(s);
	assert_int_equal(notes.nr, 0);
	return at.segment;
}

static uint32_t count_windows(const char *dir)
{
	struct store_reader *r = must_read(dir, (struct store_position){ 0, 0 });
	struct store_window w;
	uint32_t nr = 0;
	int n;

	while ((n = store_reader_next(r, &w, NULL)) > 0)
		nr++;
	assert_int_equal(n, 0);
	store_reader_free(r);
	return nr;
}

/* Names that are nearly those of segments: nothing reads, renames or counts these files. */
static void test_other_names(void **state)
{
	static const char *const names[] = {
		"ffffffffffffff00.seg~", "ffffffffffffff00", "ffffffffffffff00.seg.bad~",
		"ffffffffffffff00.bad", "FFFFFFFFFFFFFF00.seg", "0ffffffffffffff00.seg",
		"fffffffffffff00.seg", "0000000000000000.seg", " fffffffffffff00.seg",
	};
	char *dir = make_dir(), path[400];
	uint64_t first = next_number(dir);
	unsigned int i;
	FILE *out;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		out = fopen(path, "w");
		assert_non_null(out);
		fclose(out);
		assert_int_equal(next_number(dir), first + 1 + i);
		assert_int_equal(count_windows(dir), 2 + i);
		assert_int_equal(access(path, F_OK), 0);
	}
	/* and this one counts, although nothing reads it */
	in_dir(dir, "touch ffffffffffffff00.seg.bad");
	assert_true(next_number(dir) == 0xffffffffffffff01);
	remove_dir(dir);
}

/* "last" is a file of this folder that contains only a number. */
static void test_last(void **state)
{
	static const char *const wrong[] = {
		"ln -s other last", "mkfifo last", "printf '' > last", "printf 99999999999 > last",
		"echo 99999999999x > last", "echo ' 99999999999' > last", "echo -99999999999 > last",
		"echo 99999999999999999999999 > last",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		char *dir = make_dir();
		uint64_t n, now = (uint64_t)time(NULL);

		in_dir(dir, "echo 99999999999 > other");
		in_dir(dir, wrong[i]);
		n = next_number(dir);
		if (n < now || n > now + 60)
			fail_msg("%s: %" PRIu64, wrong[i], n);
		/* nothing was written through a link */
		in_dir(dir, "echo 99999999999 | cmp - other && test -f last -a ! -L last");
		remove_dir(dir);
	}
}

static void settle(struct store *s)
{
	store_expire(s);
	s->even_ns -= 3601 * SECOND;
	store_expire(s);
}

/*
 * The age of a file that was set aside is its own: at first it stays, and it is removed later.
 */
static void test_age_of_bad_files(void **state)
{
	char *dir = make_dir();
	struct store_options o = { .max_age_ns = 1800 * SECOND };
	struct store_info info;
	struct store *s;

	in_dir(dir, "printf 12345678 > 0000000000000007.seg.bad");
	s = must_open(dir, o);
	settle(s);
	store_info(s, &info);
	assert_int_equal(info.bytes, 8);
	assert_int_equal(info.segments, 0);
	assert_int_equal(info.removed, 0);
	in_dir(dir, "test -f 0000000000000007.seg.bad");
	store_close(s);
	in_dir(dir, "touch -d '40 minutes ago' 0000000000000007.seg.bad");
	s = must_open(dir, o);
	settle(s);
	store_info(s, &info);
	assert_int_equal(info.bytes, 0);
	/* segments are counted, and this file was not one */
	assert_int_equal(info.removed, 0);
	in_dir(dir, "test ! -e 0000000000000007.seg.bad");
	store_close(s);
	remove_dir(dir);
}

/* It is reported, and others are removed instead. */
static void test_not_removed(void **state)
{
	char *dir = make_dir();
	struct notes notes = { .nr = 0 };
	struct store_options o = { .segment_bytes = 1, .note = take_note, .arg = &notes };
	struct store_position one, two, three;
	struct store_info info;
	struct store *s;

	in_dir(dir, "mkdir -p 0000000000000007.seg.bad/full");
	s = must_open(dir, o);
	append_window(s, 1, &one);
	append_window(s, 2, &two);
	append_window(s, 3, &three);
	assert_true(one.segment < two.segment && two.segment < three.segment);
	assert_int_equal(notes.nr, 0);
	store_info(s, &info);
	o.max_bytes = info.bytes - 1;
	store_limits(s, &o);
	store_expire(s);
	assert_int_equal(notes.nr, 1);
	assert_non_null(strstr(notes.text, "0000000000000007.seg.bad cannot be removed"));
	store_info(s, &info);
	assert_int_equal(info.segments, 2);
	assert_int_equal(info.removed, 1);
	store_close(s);
	assert_int_equal(count_windows(dir), 2);
	in_dir(dir, "test -d 0000000000000007.seg.bad/full");
	remove_dir(dir);
}

static unsigned int nr_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned int nr = 0;

	while (readdir(d))
		nr++;
	closedir(d);
	return nr;
}

static void test_descriptors(void **state)
{
	char *dir = make_dir();
	unsigned int before = nr_descriptors();

	in_dir(dir, "mkdir 0000000000000007.seg");
	store_close(must_open(dir, (struct store_options){ 0 }));
	assert_int_equal(nr_descriptors(), before);
	in_dir(dir, "rmdir 0000000000000007.seg");
	next_number(dir);
	next_number(dir);
	assert_int_equal(nr_descriptors(), before);
	assert_int_equal(count_windows(dir), 2);
	assert_int_equal(nr_descriptors(), before);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_names),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_age_of_bad_files),
		cmocka_unit_test(test_not_removed),
		cmocka_unit_test(test_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
