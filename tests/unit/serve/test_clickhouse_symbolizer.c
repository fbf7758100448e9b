// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of real files for the database of a fleet, with a server that may answer anything: only
 * names of requested frames are written, and every pass ends.
 */
#include "clickhouse_windows.h"
#include "store.h"

#include "serve/clickhouse/symbolizer.h"

#define JOBS "FROM frames WHERE day"
#define BINARIES "FROM binaries WHERE id GLOBAL IN ids"
#define NAMES "INSERT%20INTO%20names"
#define MISSING "INSERT%20INTO%20missing"
#define NOW (20000 * DAY)

/**
 * struct pass - a pass with a server
 * @insert: HTTP head of the answer to inserts of names; NULL is %HOUSE_OK
 * @progress: see struct symbolizer_options
 */
struct pass {
	struct house_rows jobs;
	struct house_rows binaries;
	const char *insert;
	uint32_t batch;
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	struct asked a;
	struct symbolizer_done done;
};

static void put_job(struct pass *p, uint64_t frame, uint64_t binary, uint64_t address, uint16_t day)
{
	house_row(&p->jobs);
	house_number(&p->jobs, frame, 8);
	house_number(&p->jobs, binary, 8);
	house_number(&p->jobs, address, 8);
	house_number(&p->jobs, day, 2);
}

static void put_binary(struct pass *p, uint64_t binary, const char *build_id, const char *path)
{
	house_row(&p->binaries);
	house_number(&p->binaries, binary, 8);
	house_text(&p->binaries, build_id);
	house_text(&p->binaries, path);
}

/* Return: as symbolizer_pass(); the requests of @p must be released. */
static int pass(struct pass *p)
{
	const struct house_answer answers[] = {
		HOUSE_ROWS(JOBS, &p->jobs),
		HOUSE_ROWS(BINARIES, &p->binaries),
		{ .asks = NAMES, .head = p->insert ? p->insert : HOUSE_OK, .tail = "" },
	};
	const struct symbolizer_options how = {
		.from_ns = NOW - 8 * DAY, .now_ns = NOW, .again_ns = HOUR,
		.batch = p->batch ? p->batch : 100, .progress = p->progress,
	};
	const char *const debug_dirs[] = { in(dir, "debug"), NULL };
	struct symstore *store;
	int err;

	snprintf(cache, sizeof(cache), "%s/cache", dir);
	assert_int_equal(symstore_new(&(struct symstore_options){ .cache = cache,
						.debug_dirs = debug_dirs, .note = note }, &store, NULL), 0);
	asked_begin(&p->a, answers, ARRAY_SIZE(answers), "");
	err = symbolizer_pass(p->a.c, store, &how, &p->done, &p->a.diag);
	asked_stop(&p->a);
	symstore_free(store);
	return err;
}

static unsigned int asked_often(const struct asked *a, const char *words)
{
	unsigned int i, nr = 0;

	for (i = 0; i < a->s.nr; i++)
		nr += strstr(a->s.request[i], words) != NULL;
	return nr;
}

static void expect_done(const struct symbolizer_done *d, uint64_t frames, uint64_t named,
			uint64_t binaries, uint64_t missing)
{
	assert_int_equal(d->frames, frames);
	assert_int_equal(d->named, named);
	assert_int_equal(d->binaries, binaries);
	assert_int_equal(d->missing, missing);
}

/* Whether a row with the names of inner() in outer(), or without a name, was inserted. */
static bool was_put(const struct asked *a, uint16_t day, uint64_t frame, bool named)
{
	struct house_rows r = { .nr = 0 };

	house_number(&r, day, 2);
	house_number(&r, frame, 8);
	house_number(&r, named ? SYMBOLIZER_RANK : SYMBOLIZER_RANK_NONE, 1);
	house_texts(&r, named ? "inner,outer" : "");
	house_texts(&r, named ? "inner,outer" : "");
	if (!named)
		house_bytes(&r, "\0\0\0", 3);
	return house_got(&a->s, r.bytes, r.len);
}

static void test_nothing(void **state)
{
	struct pass p = { .batch = 1 };

	assert_int_equal(pass(&p), 0);
	expect_done(&p.done, 0, 0, 0, 0);
	assert_int_equal(p.a.s.nr, 1);
	assert_non_null(house_asked(&p.a.s, "FROM frames WHERE day >= toMonday(toDate(19992))"));
	/* looked for an hour ago */
	assert_non_null(house_asked(&p.a.s, "WHERE time > toDateTime(1727996400, 'UTC')"));
	assert_non_null(house_asked(&p.a.s, " LIMIT 1 "));
	asked_release(&p.a);
}

/* A file that exists, at an address without a function, in two weeks. */
static void test_named(void **state)
{
	struct { uint16_t day; uint64_t binary; uint32_t time; } __attribute__((__packed__))
		missing = { 5, 8, NOW / SECOND };
	struct pass p = { .batch = 0 };

	put_job(&p, 1, 7, outer + 4, 5);
	put_job(&p, 2, 7, 1, 5);
	put_job(&p, 1, 7, outer + 4, 12);
	/* two frames whose file the server does not have */
	put_job(&p, 3, 8, outer + 4, 5);
	put_job(&p, 4, 8, outer + 4, 5);
	put_binary(&p, 7, ID, in(files, "full"));
	/* a frame that was not requested, and another file with the same number */
	put_binary(&p, 99, ID, in(files, "full"));
	put_binary(&p, 7, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", in(files, "other"));
	assert_int_equal(pass(&p), 0);
	expect_done(&p.done, 5, 2, 2, 1);
	assert_int_equal(asked_often(&p.a, NAMES), 1);
	assert_true(was_put(&p.a, 5, 1, true));
	assert_true(was_put(&p.a, 12, 1, true));
	assert_true(was_put(&p.a, 5, 2, false));
	assert_false(was_put(&p.a, 5, 3, true) || was_put(&p.a, 5, 3, false));
	assert_int_equal(asked_often(&p.a, MISSING), 1);
	assert_true(house_got(&p.a.s, &missing, sizeof(missing)));
	asked_release(&p.a);
}

/* A file whose number is repeated after another's counts as one. */
static void test_order(void **state)
{
	struct pass p = { .batch = 0 };

	put_job(&p, 1, 7, outer + 4, 5);
	put_job(&p, 2, 8, outer + 4, 5);
	put_job(&p, 3, 7, outer + 4, 5);
	put_binary(&p, 7, ID, in(files, "full"));
	assert_int_equal(pass(&p), 0);
	assert_true(was_put(&p.a, 5, 1, true));
	assert_true(was_put(&p.a, 5, 3, true));
	assert_int_equal(p.done.frames, 3);
	assert_int_equal(p.done.named, 2);
	asked_release(&p.a);
}

/* An invalid build id, or one that is not the file's. */
static void test_build_ids(void **state)
{
	static const char *const ids[] = { "", "0", "zz", ID "0", ID "00", "ff", ID ID };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		struct pass p = { .batch = 0 };

		put_job(&p, 1, 7, outer + 4, 5);
		put_binary(&p, 7, ids[i], in(files, "full"));
		assert_int_equal(pass(&p), 0);
		expect_done(&p.done, 1, 0, 1, 1);
		assert_int_equal(asked_often(&p.a, NAMES), 0);
		asked_release(&p.a);
	}
}

/*
 * A server that does not have the names yet gives the same frames again: it is not asked for
 * ever.
 */
static void test_again(void **state)
{
	struct pass p = { .batch = 2 };

	put_job(&p, 1, 7, outer + 4, 5);
	put_job(&p, 2, 7, 1, 5);
	put_binary(&p, 7, ID, in(files, "full"));
	assert_int_equal(pass(&p), 0);
	assert_int_equal(asked_often(&p.a, JOBS), 2);
	expect_done(&p.done, 4, 2, 2, 0);
	asked_release(&p.a);
	/* nor if it gives more than was requested */
	p.batch = 1;
	assert_int_equal(pass(&p), 0);
	assert_int_equal(asked_often(&p.a, JOBS), 1);
	asked_release(&p.a);
	/* nor if it has less */
	p.batch = 3;
	assert_int_equal(pass(&p), 0);
	assert_int_equal(asked_often(&p.a, JOBS), 1);
	asked_release(&p.a);
}

static bool stop(unsigned int done, unsigned int all, const char *path, void *arg)
{
	return false;
}

/*
 * A pass that did not look reports nothing as missing, and one that could not insert reports
 * nothing as done.
 */
static void test_failures(void **state)
{
	struct pass p = { .progress = stop };

	put_job(&p, 1, 7, outer + 4, 5);
	put_job(&p, 2, 8, outer + 4, 5);
	put_binary(&p, 7, ID, in(files, "full"));
	assert_int_equal(pass(&p), -EINTR);
	assert_int_equal(p.a.s.nr, 2);
	expect_done(&p.done, 0, 0, 0, 0);
	asked_release(&p.a);
	p.progress = NULL;
	p.insert = HOUSE_HEAD("503 later");
	assert_int_equal(pass(&p), -EAGAIN);
	assert_string_equal(p.a.diag.file, p.a.place.shown);
	assert_int_equal(asked_often(&p.a, NAMES), 1);
	assert_int_equal(asked_often(&p.a, MISSING), 0);
	asked_release(&p.a);
	/* a row that ends too early is ignored */
	p.insert = NULL;
	house_row(&p.jobs);
	house_number(&p.jobs, 5, 8);
	assert_int_equal(pass(&p), -EBADMSG);
	assert_int_equal(p.a.s.nr, 1);
	asked_release(&p.a);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_nothing), TEST(test_named), TEST(test_order), TEST(test_build_ids),
		TEST(test_again), TEST(test_failures),
	};

	unsetenv("CLICKHOUSE_PASSWORD");
	return cmocka_run_group_tests(tests, make_all, remove_all);
}
