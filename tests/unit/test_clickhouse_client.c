// SPDX-License-Identifier: GPL-2.0
/*
 * The client against a server that answers what it is told: of the bytes of an answer none
 * may be taken for a row that is none, and no end for one that is not.
 */
#include "support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clickhouse/client.h"

/**
 * struct server - of one answer to each connection
 * @head: with the status; NULL closes the connection without one
 * @rows: that the answer has, after the mark that it was asked with
 * @tail: behind them; "" ends the chunks as it should, NULL does not end them
 * @request: what came
 * @silent: nothing is answered
 */
struct server {
	int fd;
	pthread_t thread;
	char url[64];
	const char *head;
	unsigned int rows;
	const char *tail;
	bool silent;
	char request[65536];
};

static void send_text(int fd, const void *text, size_t len)
{
	assert_true(send(fd, text, len, MSG_NOSIGNAL) >= 0 || errno == EPIPE || errno == ECONNRESET);
}

static void send_chunk(int fd, const void *bytes, size_t len)
{
	char head[16];

	send_text(fd, head, (size_t)snprintf(head, sizeof(head), "%zx\r\n", len));
	send_text(fd, bytes, len);
	send_text(fd, "\r\n", 2);
}

/* Head and body, by Content-Length. */
static void read_request(struct server *s, int fd)
{
	size_t len = 0, body = 0;
	char *end = NULL, *length;
	ssize_t n;

	while (!end || len < (size_t)(end - s->request) + 4 + body) {
		n = recv(fd, s->request + len, sizeof(s->request) - 1 - len, 0);
		if (n <= 0)
			break;
		len += (size_t)n;
		s->request[len] = '\0';
		end = strstr(s->request, "\r\n\r\n");
		length = strstr(s->request, "Content-Length: ");
		body = length ? strtoul(length + 16, NULL, 10) : 0;
	}
}

static void send_rows(struct server *s, int fd)
{
	char *mark = strstr(s->request, "toUInt32(");
	uint32_t row[2] = { mark ? (uint32_t)strtoul(mark + 9, NULL, 10) : 0, 0 };
	unsigned int i;

	for (i = 0; i < s->rows; i++) {
		row[1] = i;
		send_chunk(fd, row, sizeof(row));
	}
}

static void *serve(void *arg)
{
	struct server *s = arg;
	int fd = accept(s->fd, NULL, NULL);

	if (fd < 0)
		return NULL;
	read_request(s, fd);
	if (s->head)
		send_text(fd, s->head, strlen(s->head));
	if (s->silent)
		recv(fd, s->request, 1, 0);
	send_rows(s, fd);
	if (s->tail && *s->tail)
		send_chunk(fd, s->tail, strlen(s->tail));
	if (s->tail)
		send_text(fd, "0\r\n\r\n", 5);
	shutdown(fd, SHUT_WR);
	close(fd);
	return NULL;
}

static void start(struct server *s)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);

	s->fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(s->fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(s->fd, 1), 0);
	assert_int_equal(getsockname(s->fd, (struct sockaddr *)&a, &len), 0);
	snprintf(s->url, sizeof(s->url), "clickhouse://me:my%%20word@127.0.0.1:%u/a%%27b",
		 ntohs(a.sin_port));
	assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

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

/* Return: what the client says; @nr: rows that it handed out; NULL inserts. */
static int ask(struct server *s, struct clickhouse_options o, unsigned int *nr, struct diag *diag)
{
	static const enum clickhouse_type type = CLICKHOUSE_UINT32;
	const struct clickhouse_question q = {
		.columns = "n", .rest = "FROM t", .types = &type, .nr_types = 1, .take = take, .arg = nr,
	};
	struct clickhouse_place p;
	struct clickhouse *c;
	int err;

	start(s);
	assert_int_equal(clickhouse_place_parse(s->url, NULL, &p, diag), 0);
	o.place = &p;
	assert_int_equal(clickhouse_new(&o, &c, diag), 0);
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
	shutdown(s->fd, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	close(s->fd);
	return err;
}

#define OK "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
#define BAD(status) "HTTP/1.1 " status "\r\nTransfer-Encoding: chunked\r\n\r\n"
#define EXCEPTION "Code: 241, e.displayText() = DB::Exception: Memory limit, e.what() = DB::Exception\n"

static void test_select(void **state)
{
	struct server s = { .head = OK, .rows = 3, .tail = "" };
	unsigned int nr;
	struct diag diag;

	assert_int_equal(ask(&s, (struct clickhouse_options){ 0 }, &nr, &diag), 0);
	assert_int_equal(nr, 3);
	assert_non_null(strstr(s.request, "POST /?wait_end_of_query=1&database=a%27b&max_execution_time=300"));
	/* me:my word */
	assert_non_null(strstr(s.request, "Authorization: Basic bWU6bXkgd29yZA=="));
	assert_non_null(strstr(s.request, ", n FROM t FORMAT RowBinary"));
}

static void test_insert(void **state)
{
	struct server s = { .head = OK, .tail = "" };
	struct diag diag;

	assert_int_equal(ask(&s, (struct clickhouse_options){ 0 }, NULL, &diag), 0);
	assert_non_null(strstr(s.request, "&query=INSERT%20INTO%20%60t%60%20%28a%2C%20b%29%20FORMAT%20RowBinary&insert_distributed_sync=1 "));
	assert_non_null(strstr(s.request, "\r\n\r\n1234"));
	s.head = BAD("500 no");
	s.tail = EXCEPTION;
	assert_int_equal(ask(&s, (struct clickhouse_options){ 0 }, NULL, &diag), -ENOBUFS);
	s.head = OK;
	assert_int_equal(ask(&s, (struct clickhouse_options){ 0 }, NULL, &diag), -ENOBUFS);
}

static void test_failures(void **state)
{
	static const struct {
		const char *head, *tail;
		unsigned int rows;
		int err;
		const char *said;
	} cases[] = {
		/* status 200, and words behind rows or in place of them */
		{ OK, EXCEPTION, 2, -ENOBUFS, "the server says (241): Memory limit" },
		{ OK, EXCEPTION, 0, -ENOBUFS, "the server says (241): Memory limit" },
		{ OK, "<html>login</html>", 0, -EBADMSG, "what follows row 0 of the answer is no row" },
		{ OK, "ab", 1, -EBADMSG, "the answer ends within its row 2" },
		{ OK, "ab", 0, -EBADMSG, "what follows row 0 of the answer is no row" },
		/* the connection ends, and the answer does not */
		{ OK, NULL, 2, -EPIPE, "" },
		{ OK, NULL, 0, -EPIPE, "" },
		{ NULL, NULL, 0, -EPIPE, "" },
		{ BAD("404 no"), "Code: 60, e.displayText() = DB::Exception: Table, e.what() =", 0,
		  -ENOENT, "the server says (60): Table" },
		{ BAD("500 no"), "", 2, -EAGAIN, "the server answers 500" },
		{ BAD("302 there"), "", 0, -EREMOTEIO, "the server answers 302" },
		{ "220 smtp ready\r\n", "", 0, -EPROTO, "" },
	};
	struct diag diag;
	unsigned int nr;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct server s = { .head = cases[i].head, .tail = cases[i].tail,
				    .rows = cases[i].rows };

		assert_int_equal(ask(&s, (struct clickhouse_options){ 0 }, &nr, &diag), cases[i].err);
		assert_true(nr <= cases[i].rows);
		assert_memory_equal(diag.text, cases[i].said, strlen(cases[i].said));
	}
}

static void test_limits(void **state)
{
	struct server s = { .head = OK, .rows = 30, .tail = "" };
	struct diag diag;
	unsigned int nr;

	assert_int_equal(ask(&s, (struct clickhouse_options){ .max_rows = 5 }, &nr, &diag), -E2BIG);
	assert_int_equal(nr, 5);
	assert_int_equal(ask(&s, (struct clickhouse_options){ .max_bytes = 100 }, &nr, &diag), -E2BIG);
	assert_true(nr < 30);
	s.silent = true;
	assert_int_equal(ask(&s, (struct clickhouse_options){ .seconds = 1 }, &nr, &diag), -ETIMEDOUT);
	assert_int_equal(ask(&s, (struct clickhouse_options){ .stop = stop_now }, &nr, &diag), -EINTR);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_select), cmocka_unit_test(test_insert),
		cmocka_unit_test(test_failures), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_nobody),
	};

	unsetenv("CLICKHOUSE_PASSWORD");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
