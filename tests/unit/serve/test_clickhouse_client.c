// SPDX-License-Identifier: GPL-2.0-only
/*
 * The HTTP client of ClickHouse, with a server that gives prepared answers: no bytes of an
 * answer may be taken for a row that is not one, and a truncated answer must not look complete.
 */
#include "clickhouse_server.h"

#include "serve/clickhouse/create_tables.h"

static int take(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	unsigned int *nr = arg;

	assert_int_equal(cells[0].number, *nr);
	++*nr;
	return 0;
}

static bool stop_now(void *arg)
{
	return true;
}

/* Rows with one number each, from 0 on. */
static const struct house_rows *numbers(unsigned int nr)
{
	static struct house_rows r;

	for (r = (struct house_rows){ .nr = 0 }; r.nr < nr;) {
		house_row(&r);
		house_number(&r, r.nr - 1, 4);
	}
	return &r;
}

/*
 * Sends a query to a server that has this answer. Return: the result of the client; @nr: number
 * of rows that it passed on; NULL inserts. @s: has the request; house_release() releases it.
 */
static int ask(struct house_server *s, const struct house_answer *answer,
	       struct clickhouse_options o, unsigned int *nr, struct diag *diag)
{
	static const enum clickhouse_type type = CLICKHOUSE_UINT32;
	const struct clickhouse_question q = {
		.columns = "n", .rest = "FROM t", .types = &type, .nr_types = 1, .take = take, .arg = nr,
	};
	struct clickhouse_place p;
	struct clickhouse *c;
	int err;

	house_start(s, answer, 1);
	c = house_client(s, o, &p);
	if (nr)
		*nr = 0;
	diag->file = NULL;
	err = nr ? clickhouse_select(c, &q, NULL, diag) :
		   clickhouse_insert(c, "`t` (a, b)", "1234", 4, diag);
	clickhouse_free(c);
	if (err) {
		assert_non_null(diag->file);
		assert_null(strstr(diag->file, "word"));
	}
	clickhouse_place_release(&p);
	house_stop(s);
	return err;
}

/* The same, without checking the request. */
static int try(const struct house_answer *answer, struct clickhouse_options o, unsigned int *nr,
	       struct diag *diag)
{
	struct house_server s;
	int err = ask(&s, answer, o, nr, diag);

	house_release(&s);
	return err;
}

#define EXCEPTION "Code: 241, e.displayText() = DB::Exception: Memory limit, e.what() = DB::Exception\n"

static void test_select(void **state)
{
	const struct house_answer a = HOUSE_ROWS(NULL, numbers(3));
	struct house_server s;
	unsigned int nr;
	struct diag diag;

	assert_int_equal(ask(&s, &a, (struct clickhouse_options){ 0 }, &nr, &diag), 0);
	assert_int_equal(nr, 3);
	assert_non_null(strstr(s.request[0], "POST /?wait_end_of_query=1&database=a%27b&max_execution_time=300"));
	/* me:my word */
	assert_non_null(strstr(s.request[0], "Authorization: Basic bWU6bXkgd29yZA=="));
	assert_non_null(strstr(s.request[0], ", n FROM t FORMAT RowBinary"));
	house_release(&s);
}

static void test_insert(void **state)
{
	struct house_answer a = { .head = HOUSE_OK, .tail = "" };
	struct house_server s;
	struct diag diag;

	assert_int_equal(ask(&s, &a, (struct clickhouse_options){ 0 }, NULL, &diag), 0);
	assert_non_null(strstr(s.request[0], "&query=INSERT%20INTO%20%60t%60%20%28a%2C%20b%29%20FORMAT%20RowBinary&insert_distributed_sync=1 "));
	assert_non_null(strstr(s.request[0], "\r\n\r\n1234"));
	house_release(&s);
	a.head = HOUSE_HEAD("500 no");
	a.tail = EXCEPTION;
	assert_int_equal(try(&a, (struct clickhouse_options){ 0 }, NULL, &diag), -ENOBUFS);
	a.head = HOUSE_OK;
	assert_int_equal(try(&a, (struct clickhouse_options){ 0 }, NULL, &diag), -ENOBUFS);
}

static void test_failures(void **state)
{
	static const struct {
		const char *head, *tail;
		unsigned int rows;
		int err;
		const char *said;
	} cases[] = {
		/* status 200, and an error message after rows or instead of them */
		{ HOUSE_OK, EXCEPTION, 2, -ENOBUFS, "the server says (241): Memory limit" },
		{ HOUSE_OK, EXCEPTION, 0, -ENOBUFS, "the server says (241): Memory limit" },
		{ HOUSE_OK, "<html>login</html>", 0, -EBADMSG,
		  "the bytes after row 0 of the answer are not a row" },
		{ HOUSE_OK, "ab", 1, -EBADMSG, "the answer ends within its row 2" },
		{ HOUSE_OK, "ab", 0, -EBADMSG, "the bytes after row 0 of the answer are not a row" },
		/* the connection ends before the answer does */
		{ HOUSE_OK, NULL, 2, -EPIPE, "" },
		{ HOUSE_OK, NULL, 0, -EPIPE, "" },
		{ NULL, NULL, 0, -EPIPE, "" },
		{ HOUSE_HEAD("404 no"), "Code: 60, e.displayText() = DB::Exception: Table, e.what() =",
		  0, -ENOENT, "the server says (60): Table" },
		{ HOUSE_HEAD("500 no"), "", 2, -EAGAIN, "the server answers 500" },
		{ HOUSE_HEAD("302 there"), "", 0, -EREMOTEIO, "the server answers 302" },
		{ "220 smtp ready\r\n", "", 0, -EPROTO, "" },
	};
	struct diag diag;
	unsigned int nr;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct house_answer a = { .head = cases[i].head, .tail = cases[i].tail,
					       .rows = numbers(cases[i].rows) };

		assert_int_equal(try(&a, (struct clickhouse_options){ 0 }, &nr, &diag), cases[i].err);
		assert_true(nr <= cases[i].rows);
		assert_memory_equal(diag.text, cases[i].said, strlen(cases[i].said));
	}
}

static void test_limits(void **state)
{
	struct house_answer s = HOUSE_ROWS(NULL, numbers(30));
	struct diag diag;
	unsigned int nr;

	assert_int_equal(try(&s, (struct clickhouse_options){ .max_rows = 5 }, &nr, &diag), -E2BIG);
	assert_int_equal(nr, 5);
	assert_int_equal(try(&s, (struct clickhouse_options){ .max_bytes = 100 }, &nr, &diag), -E2BIG);
	assert_true(nr < 30);
	s.silent = true;
	assert_int_equal(try(&s, (struct clickhouse_options){ .seconds = 1 }, &nr, &diag), -ETIMEDOUT);
	assert_int_equal(try(&s, (struct clickhouse_options){ .stop = stop_now }, &nr, &diag), -EINTR);
}

static void test_nobody(void **state)
{
	struct clickhouse_place p;
	struct clickhouse *c;
	struct diag diag;

	assert_int_equal(clickhouse_place_parse("clickhouse://127.0.0.1:1/u", NULL, &p, &diag), 0);
	assert_int_equal(clickhouse_new(&(struct clickhouse_options){ .place = &p }, &c, &diag), 0);
	diag.file = NULL;
	assert_int_equal(clickhouse_insert(c, "t", "", 0, &diag), -ECONNREFUSED);
	assert_string_equal(diag.file, "clickhouse://127.0.0.1:1/u");
	clickhouse_free(c);
	clickhouse_place_release(&p);
}

/* Creates the tables on a server that has this answer; NULL: it answers no request. */
static int make_tables(struct house_server *s, const struct house_answer *answer,
		       const struct clickhouse_schema *how, struct clickhouse_created *made,
		       struct diag *diag)
{
	struct clickhouse_place p;
	struct clickhouse *c;
	int err;

	house_start(s, answer, answer ? 1 : 0);
	c = house_client(s, (struct clickhouse_options){ 0 }, &p);
	err = clickhouse_create_tables(c, how, made, diag);
	if (err)
		assert_string_equal(diag->file, p.shown);
	clickhouse_free(c);
	clickhouse_place_release(&p);
	house_stop(s);
	return err;
}

/* The first statement creates the database, so it cannot be sent to the database itself. */
static void test_make(void **state)
{
	const struct clickhouse_schema one = { .database = "d" };
	const struct clickhouse_schema several = { .database = "d", .cluster = "c" };
	struct clickhouse_created made;
	struct house_server s;
	struct diag diag;
	unsigned int i;

	assert_int_equal(make_tables(&s, NULL, &one, &made, &diag), 0);
	assert_int_equal(s.nr, 1 + made.tables + made.views);
	assert_true(made.tables > 15 && made.views == 10);
	assert_non_null(strstr(s.request[0], "\r\n\r\nCREATE DATABASE IF NOT EXISTS `d`"));
	for (i = 0; i < s.nr; i++) {
		assert_non_null(strstr(s.request[i], "POST /?wait_end_of_query=1&default_format=Null "));
		assert_non_null(strstr(s.request[i], "Authorization: Basic bWU6bXkgd29yZA=="));
		assert_null(strstr(s.request[i], "FORMAT"));
	}
	house_release(&s);
	assert_int_equal(make_tables(&s, NULL, &several, &made, &diag), 0);
	assert_non_null(strstr(s.request[0], " ON CLUSTER `c`"));
	house_release(&s);
}

/* A statement that fails is the last one, and its error is reported. */
static void test_make_failures(void **state)
{
	const struct clickhouse_schema how = { .database = "d" };
	struct house_answer a = { .asks = "`d`.`frames`", .head = HOUSE_HEAD("500 no"),
				 .tail = EXCEPTION };
	struct clickhouse_created made;
	struct house_server s;
	struct diag diag;

	assert_int_equal(make_tables(&s, &a, &how, &made, &diag), -ENOBUFS);
	assert_string_equal(diag.text, "`d`.`frames`: the server says (241): Memory limit");
	assert_int_equal(s.nr, 1 + made.tables + 1);
	assert_non_null(strstr(s.request[s.nr - 1], "CREATE TABLE IF NOT EXISTS `d`.`frames`"));
	assert_int_equal(made.views, 0);
	house_release(&s);
	/* a page with status 200 is not an answer about tables */
	a = (struct house_answer){ .head = HOUSE_OK, .tail = "<html>login</html>" };
	assert_int_equal(make_tables(&s, &a, &how, &made, &diag), -EBADMSG);
	assert_memory_equal(diag.text, "`d`: ", 5);
	assert_int_equal(made.tables, 0);
	house_release(&s);
	/* nor is an error message of a server after one */
	a.tail = EXCEPTION;
	assert_int_equal(make_tables(&s, &a, &how, &made, &diag), -ENOBUFS);
	house_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_select), cmocka_unit_test(test_insert),
		cmocka_unit_test(test_failures), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_nobody), cmocka_unit_test(test_make),
		cmocka_unit_test(test_make_failures),
	};

	unsetenv("CLICKHOUSE_PASSWORD");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
