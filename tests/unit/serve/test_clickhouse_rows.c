// SPDX-License-Identifier: GPL-2.0-only
/*
 * The row formats that user/serve/clickhouse reads from a server and writes to one, without a
 * server.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "serve/clickhouse/ids.h"
#include "serve/clickhouse/place.h"
#include "serve/clickhouse/rows.h"
#include "serve/clickhouse/sql.h"
#include "serve/clickhouse/server_error.h"

#define MARK 0x98a1b2c3u
#define MARK_BYTES "\xc3\xb2\xa1\x98"

static const enum clickhouse_type types[] = {
	CLICKHOUSE_UINT16, CLICKHOUSE_STRING, CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
	CLICKHOUSE_ARRAY | CLICKHOUSE_UINT32, CLICKHOUSE_INT64,
};

/* As a server writes it: 513, 'ab', ['', 'xyz'], [1, 0xffffffff], -2 */
#define ROW MARK_BYTES "\x01\x02" "\x02" "ab" "\x02" "\x00" "\x03" "xyz" \
	"\x02" "\x01\x00\x00\x00" "\xff\xff\xff\xff" "\xfe\xff\xff\xff\xff\xff\xff\xff"

static int check_row(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct clickhouse_cell array, e;
	unsigned int *nr = arg;

	(*nr)++;
	assert_int_equal(cells[0].number, 513);
	assert_int_equal(cells[1].len, 2);
	assert_memory_equal(cells[1].bytes, "ab", 2);
	array = cells[2];
	assert_int_equal(array.nr, 2);
	assert_true(clickhouse_next(&array, CLICKHOUSE_STRING, &e));
	assert_int_equal(e.len, 0);
	assert_true(clickhouse_next(&array, CLICKHOUSE_STRING, &e));
	assert_int_equal(e.len, 3);
	assert_memory_equal(e.bytes, "xyz", 3);
	assert_false(clickhouse_next(&array, CLICKHOUSE_STRING, &e));
	array = cells[3];
	assert_true(clickhouse_next(&array, CLICKHOUSE_UINT32, &e));
	assert_int_equal(e.number, 1);
	assert_true(clickhouse_next(&array, CLICKHOUSE_UINT32, &e));
	assert_int_equal(e.number, UINT32_MAX);
	assert_false(clickhouse_next(&array, CLICKHOUSE_UINT32, &e));
	assert_int_equal((int64_t)cells[4].number, -2);
	return *nr == 7 ? diag_set(diag, EDOM, NULL, "seven") : 0;
}

/* In pieces of @step bytes. */
static int read_rows(const void *bytes, size_t len, size_t step, struct clickhouse_rows *r,
		     unsigned int *nr, struct diag *diag)
{
	size_t at, n;
	int err = 0;

	*nr = 0;
	clickhouse_rows_init(r, types, 5, MARK, check_row, nr);
	for (at = 0; at < len && !err; at += n) {
		n = len - at < step ? len - at : step;
		err = clickhouse_rows_add(r, (const char *)bytes + at, n, diag);
	}
	err = err ? err : clickhouse_rows_end(r, diag);
	clickhouse_rows_release(r);
	return err;
}

static void test_rows(void **state)
{
	static const char three[] = ROW ROW ROW;
	struct clickhouse_rows r;
	struct diag diag;
	unsigned int nr;
	size_t step;

	for (step = 1; step < sizeof(three) + 1; step++) {
		assert_int_equal(read_rows(three, sizeof(three) - 1, step, &r, &nr, &diag), 0);
		assert_int_equal(nr, 3);
		assert_int_equal(r.nr, 3);
		assert_int_equal(r.nr_bytes, sizeof(three) - 1);
	}
	assert_int_equal(read_rows("", 0, 1, &r, &nr, &diag), 0);
	assert_int_equal(nr, 0);
}

/* Every shorter text that does not end between rows is refused. */
static void test_rows_cut(void **state)
{
	static const char two[] = ROW ROW;
	struct clickhouse_rows r;
	struct diag diag;
	unsigned int nr;
	size_t len;

	for (len = 1; len < sizeof(two) - 1; len++) {
		int err = read_rows(two, len, 16, &r, &nr, &diag);

		if (len == sizeof(ROW) - 1) {
			assert_int_equal(err, 0);
			continue;
		}
		assert_int_equal(err, -EBADMSG);
		assert_int_equal(diag.offset, len < sizeof(ROW) - 1 ? 0 : sizeof(ROW) - 1);
		assert_int_equal(nr, len > sizeof(ROW) - 1);
	}
}

static int check_last(const struct clickhouse_cell *cell, void *arg, struct diag *diag)
{
	struct clickhouse_cell e, array = *cell;
	unsigned int *nr = arg;

	(*nr)++;
	if (!cell->nr) {
		assert_int_equal(cell->len, 2);
		assert_memory_equal(cell->bytes, "ab", 2);
		return 0;
	}
	assert_int_equal(cell->nr, 2);
	assert_true(clickhouse_next(&array, CLICKHOUSE_STRING, &e));
	assert_true(clickhouse_next(&array, CLICKHOUSE_STRING, &e));
	assert_int_equal(e.len, 1);
	assert_memory_equal(e.bytes, "c", 1);
	return 0;
}

/* A row counts only after the last byte of its last cell. */
static void test_rows_last(void **state)
{
	static const struct {
		enum clickhouse_type type;
		const char *row;
		size_t len;
	} of[] = {
		{ CLICKHOUSE_STRING, MARK_BYTES "\x02" "ab", 7 },
		{ CLICKHOUSE_ARRAY | CLICKHOUSE_STRING, MARK_BYTES "\x02" "\x00" "\x01" "c", 8 },
	};
	struct clickhouse_rows r;
	struct diag diag;
	unsigned int nr;
	size_t i, at;

	for (i = 0; i < 2; i++) {
		nr = 0;
		clickhouse_rows_init(&r, &of[i].type, 1, MARK, check_last, &nr);
		r.max_bytes = 2 * of[i].len;
		for (at = 0; at < 2 * of[i].len; at++) {
			assert_int_equal(nr, at / of[i].len);
			assert_int_equal(clickhouse_rows_add(&r, of[i].row + at % of[i].len, 1, &diag), 0);
		}
		assert_int_equal(clickhouse_rows_end(&r, &diag), 0);
		assert_int_equal(nr, 2);
		assert_int_equal(clickhouse_rows_add(&r, MARK_BYTES, 1, &diag), -E2BIG);
		clickhouse_rows_release(&r);
	}
}

#define WORDS "Code: 395, e.displayText() = DB::Exception: Value passed, e.what() = DB::Exception\n"

static void test_rows_words(void **state)
{
	static const char text[] = ROW WORDS;
	struct clickhouse_rows r;
	struct diag diag;
	unsigned int nr;
	size_t step;

	for (step = 1; step < sizeof(text); step += 3) {
		assert_int_equal(read_rows(text, sizeof(text) - 1, step, &r, &nr, &diag), -EBADMSG);
		assert_true(r.foreign);
		assert_int_equal(nr, 1);
		assert_string_equal(r.words, WORDS);
		assert_int_equal(diag.offset, sizeof(ROW) - 1);
	}
}

static void test_rows_limits(void **state)
{
	static const char long_text[] = MARK_BYTES "\x01\x02" "\xff\xff\xff\xff\x7f";
	static const char no_length[] = MARK_BYTES "\x01\x02" "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
	static const char many[] = MARK_BYTES "\x01\x02" "\x00" "\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
	static const char seven[] = ROW ROW ROW ROW ROW ROW ROW ROW;
	struct clickhouse_rows r;
	struct diag diag;
	unsigned int nr;

	assert_int_equal(read_rows(long_text, sizeof(long_text) - 1, 3, &r, &nr, &diag), -EBADMSG);
	assert_non_null(strstr(diag.text, "row 1 of the answer is longer than"));
	assert_int_equal(read_rows(no_length, sizeof(no_length) - 1, 99, &r, &nr, &diag), -EBADMSG);
	assert_int_equal(read_rows(many, sizeof(many) - 1, 99, &r, &nr, &diag), -EBADMSG);
	assert_int_equal(read_rows(seven, sizeof(seven) - 1, 9999, &r, &nr, &diag), -EDOM);
	assert_string_equal(diag.text, "seven");
	nr = 0;
	clickhouse_rows_init(&r, types, 5, MARK, check_row, &nr);
	r.max_rows = 2;
	assert_int_equal(clickhouse_rows_add(&r, seven, sizeof(seven) - 1, &diag), -E2BIG);
	assert_int_equal(nr, 2);
	clickhouse_rows_release(&r);
	clickhouse_rows_init(&r, types, 5, MARK, check_row, &nr);
	r.max_bytes = sizeof(seven) - 2;
	assert_int_equal(clickhouse_rows_add(&r, seven, sizeof(seven) - 1, &diag), -E2BIG);
	clickhouse_rows_release(&r);
}

static void test_words(void **state)
{
	static const struct {
		const char *text;
		long status;
		int err;
		const char *said;
	} cases[] = {
		{ "Code: 60, e.displayText() = DB::Exception: Table u.t doesn't exist., e.what() = DB::Exception\n",
		  404, -ENOENT, "the server says (60): Table u.t doesn't exist." },
		{ "Code: 516. DB::Exception: Authentication failed: bad. (AUTHENTICATION_FAILED) (version 23.8.1.1 (official build))\n",
		  403, -EACCES, "the server says (516): Authentication failed: bad. (AUTHENTICATION_FAILED)" },
		{ "Code: 159, e.displayText() = DB::Exception: Timeout exceeded: elapsed 1.0, e.what() = DB::Exception",
		  500, -ETIME, "the server says (159): Timeout exceeded: elapsed 1.0" },
		{ "Code: 241. DB::Exception: Memory limit", 500, -ENOBUFS, "the server says (241): Memory limit" },
		{ "Code: 62, e.displayText() = DB::NetException: Syn\x1b[2J\ntax", 400, -EREMOTEIO,
		  "the server says (62): Syn\\033[2J\\012tax" },
		{ "<html>bad gateway</html>\n", 502, -EAGAIN, "the server answers 502: <html>bad gateway</html>" },
		{ "", 401, -EACCES, "the server answers 401" },
		{ "", 302, -EREMOTEIO, "the server answers 302" },
		{ "Code: ", 500, -EAGAIN, "the server answers 500: Code:" },
	};
	struct diag diag;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(clickhouse_server_error(cases[i].text, cases[i].status, &diag),
				 cases[i].err);
		assert_string_equal(diag.text, cases[i].said);
	}
}

static void test_sql(void **state)
{
	struct sql s;

	assert_int_equal(sql_init(&s), 0);
	sql_put(&s, "SELECT ");
	sql_text(&s, "it's \\ a \"t\nest\xff; DROP");
	sql_put(&s, ", ");
	sql_bytes(&s, "a\0'", 3);
	sql_u64(&s, UINT64_MAX);
	assert_int_equal(sql_end(&s), 0);
	assert_string_equal(s.text, "SELECT 'it\\'s \\\\ a \"t\nest\xff; DROP', "
				    "'a\\0\\''18446744073709551615");
	assert_int_equal(s.len, strlen(s.text));
	sql_release(&s);
}

static void test_ids(void **state)
{
	struct clickhouse_ids ids;
	uint64_t i;

	assert_int_equal(clickhouse_ids_init(&ids), 0);
	assert_int_equal(clickhouse_ids_find(&ids, 0), 0);
	for (i = 0; i < 1000; i++)
		assert_int_equal(clickhouse_ids_add(&ids, i << 40), i + 1);
	for (i = 0; i < 1000; i++) {
		assert_int_equal(clickhouse_ids_add(&ids, i << 40), i + 1);
		assert_int_equal(clickhouse_ids_find(&ids, i << 40), i + 1);
		assert_int_equal(ids.id[i + 1], i << 40);
	}
	assert_int_equal(clickhouse_ids_find(&ids, 1), 0);
	assert_int_equal(ids.nr, 1001);
	clickhouse_ids_release(&ids);
}

static void test_places(void **state)
{
	static const struct {
		const char *text, *endpoint, *user, *password, *database, *shown;
	} cases[] = {
		{ "clickhouse://db/ustack", "http://db:8123/", NULL, NULL, "ustack",
		  "clickhouse://db:8123/ustack" },
		{ "clickhouses://me:a%20b@db.example:99/u", "https://db.example:99/", "me", "a b",
		  "u", "clickhouses://db.example:99/u" },
		{ "clickhouse://me@[::1]:1/a%26b", "http://[::1]:1/", "me", NULL, "a&b",
		  "clickhouse://[::1]:1/a&b" },
		{ "clickhouse://me:x@127.0.0.1/u", "http://127.0.0.1:8123/", "me", "x", "u",
		  "clickhouse://127.0.0.1:8123/u" },
		{ "CLICKHOUSES://db/u", "https://db:8443/", NULL, NULL, "u", "clickhouses://db:8443/u" },
	};
	struct clickhouse_place p;
	struct diag diag;
	size_t i;

	unsetenv("CLICKHOUSE_PASSWORD");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(clickhouse_place_parse(cases[i].text, NULL, &p, &diag), 0);
		assert_string_equal(p.endpoint, cases[i].endpoint);
		assert_string_equal(p.user ? p.user : "-", cases[i].user ? cases[i].user : "-");
		assert_string_equal(p.password ? p.password : "-",
				    cases[i].password ? cases[i].password : "-");
		assert_string_equal(p.database, cases[i].database);
		assert_string_equal(p.shown, cases[i].shown);
		clickhouse_place_release(&p);
	}
}

static void test_bad_places(void **state)
{
	static const char *const cases[][2] = {
		{ "http://db/u", "is no clickhouse://" },
		{ "clickhouse://db", "no database" },
		{ "clickhouse://db/", "no database" },
		{ "clickhouse://db/a/b", "slash" },
		{ "clickhouse://db:99999/u", "not a URL" },
		{ "clickhouse://db/u?x=1", "query" },
		{ "clickhouse://db/u#x", "fragment" },
		{ "clickhouse:///u", "no" },
		{ "clickhouse://me:secret@db/u", "not sent without TLS" },
		{ "clickhouse://d b/u", "" },
		{ "clickhouse://d'b/u", "" },
	};
	struct clickhouse_place p;
	struct diag diag;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(clickhouse_place_parse(cases[i][0], NULL, &p, &diag), -EINVAL);
		assert_non_null(strstr(diag.text, cases[i][1]));
		assert_null(strstr(diag.text, "secret"));
		clickhouse_place_release(&p);
	}
}

static void test_passwords(void **state)
{
	char path[] = "/tmp/ustack-test-XXXXXX";
	struct clickhouse_place p;
	struct diag diag;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "se cret\r\nmore\n", 14), 14);
	close(fd);
	setenv("CLICKHOUSE_PASSWORD", "other", 1);
	assert_int_equal(clickhouse_place_parse("clickhouses://db/u", path, &p, &diag), 0);
	assert_string_equal(p.password, "se cret");
	clickhouse_place_release(&p);
	assert_int_equal(clickhouse_place_parse("clickhouses://db/u", NULL, &p, &diag), 0);
	assert_string_equal(p.password, "other");
	clickhouse_place_release(&p);
	assert_int_equal(clickhouse_place_parse("clickhouses://a:b@db/u", NULL, &p, &diag), 0);
	assert_string_equal(p.password, "b");
	clickhouse_place_release(&p);
	assert_int_equal(clickhouse_place_parse("clickhouses://a:b@db/u", path, &p, &diag), -EINVAL);
	clickhouse_place_release(&p);
	assert_int_equal(clickhouse_place_parse("clickhouse://db/u", NULL, &p, &diag), -EINVAL);
	clickhouse_place_release(&p);
	unlink(path);
	assert_int_equal(clickhouse_place_parse("clickhouses://db/u", path, &p, &diag), -ENOENT);
	clickhouse_place_release(&p);
	unsetenv("CLICKHOUSE_PASSWORD");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),	    cmocka_unit_test(test_rows_cut),
		cmocka_unit_test(test_rows_last),
		cmocka_unit_test(test_rows_words),  cmocka_unit_test(test_rows_limits),
		cmocka_unit_test(test_words),	    cmocka_unit_test(test_sql),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_places),	    cmocka_unit_test(test_bad_places),
		cmocka_unit_test(test_passwords),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
