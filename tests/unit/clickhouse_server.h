/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A ClickHouse server in this process that gives the answers of a test, to one request at a
 * time:
 *
 * \thouse_row(&rows);
 * \thouse_number(&rows, 7, 8);
 * \thouse_text(&rows, "web");
 * \thouse_start(&s, answers, nr);
 * \tc = house_client(&s, &place);
 * \t...
 * \thouse_stop(&s);\t\t\tnow its requests can be read
 * \thouse_release(&s);
 */
#ifndef USTACK_TESTS_CLICKHOUSE_SERVER_H
#define USTACK_TESTS_CLICKHOUSE_SERVER_H

#include "support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/clickhouse/client.h"

#define HOUSE_HEAD(status) "HTTP/1.1 " status "\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
#define HOUSE_OK HOUSE_HEAD("200 OK")
#define HOUSE_MAX_REQUESTS 64u
#define HOUSE_REQUEST_BYTES 65536u

/**
 * struct house_rows - rows in RowBinary, without the mark before each
 * @begin: offset of each row
 */
struct house_rows {
	uint8_t bytes[8192];
	size_t len;
	size_t begin[128];
	unsigned int nr;
};

/**
 * struct house_answer - an answer to a request
 * @asks: words that the request must contain; NULL fits any request
 * @head: HTTP head with the status; NULL closes the connection without an answer
 * @rows: rows, sent with the mark that the request asked for; NULL is none
 * @times: how often the rows are sent; 0 means once
 * @tail: bytes after the rows; "" ends the chunks properly, NULL does not end them
 * @silent: nothing follows the head, and the connection stays open
 */
struct house_answer {
	const char *asks;
	const char *head;
	const struct house_rows *rows;
	unsigned int times;
	const char *tail;
	bool silent;
};

/* An answer with the rows @with to a request that contains @words; NULL fits any. */
#define HOUSE_ROWS(words, with) { .asks = (words), .head = HOUSE_OK, .rows = (with), .tail = "" }

/**
 * struct house_server - a server on the loopback interface
 * @url: URL of a database a'b on it, user me, password "my word"
 * @answers: the first one that fits is given; a request that none fits gets no rows
 * @request: the requests, each with a NUL at the end; to be read after house_stop()
 * @len: length of each request
 * @nr: number of requests
 */
struct house_server {
	int fd;
	pthread_t thread;
	char url[64];
	const struct house_answer *answers;
	unsigned int nr_answers;
	char *request[HOUSE_MAX_REQUESTS];
	size_t len[HOUSE_MAX_REQUESTS];
	unsigned int nr;
};

static inline void house_bytes(struct house_rows *r, const void *bytes, size_t len)
{
	assert_true(len <= sizeof(r->bytes) - r->len);
	memcpy(r->bytes + r->len, bytes, len);
	r->len += len;
}

/* Begins a row; its columns follow in their order. */
static inline void house_row(struct house_rows *r)
{
	assert_true(r->nr < sizeof(r->begin) / sizeof(*r->begin));
	r->begin[r->nr++] = r->len;
}

/* @width: number of bytes. */
static inline void house_number(struct house_rows *r, uint64_t value, size_t width)
{
	house_bytes(r, &value, width);
}

/* The number of elements or bytes that follow. */
static inline void house_length(struct house_rows *r, uint8_t len)
{
	assert_true(len < 128);
	house_bytes(r, &len, 1);
}

static inline void house_text(struct house_rows *r, const char *text)
{
	house_length(r, (uint8_t)strlen(text));
	house_bytes(r, text, strlen(text));
}

/* An array of texts, which are separated by commas; "" is an empty array. */
static inline void house_texts(struct house_rows *r, const char *texts)
{
	char words[512], *at = NULL, *word;
	size_t count = r->len;

	snprintf(words, sizeof(words), "%s", texts);
	house_length(r, 0);
	for (word = strtok_r(words, ",", &at); word; word = strtok_r(NULL, ",", &at)) {
		r->bytes[count]++;
		house_text(r, word);
	}
}

/* The first request that contains these words, or NULL. */
static inline const char *house_asked(const struct house_server *s, const char *words)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		if (strstr(s->request[i], words))
			return s->request[i];
	return NULL;
}

/* Whether a request contains these bytes, in a table that is sent with it. */
static inline bool house_got(const struct house_server *s, const void *bytes, size_t len)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		if (memmem(s->request[i], s->len[i], bytes, len))
			return true;
	return false;
}

static inline void house_send(int fd, const void *bytes, size_t len)
{
	assert_true(send(fd, bytes, len, MSG_NOSIGNAL) >= 0 || errno == EPIPE || errno == ECONNRESET);
}

static inline void house_send_chunk(int fd, const void *bytes, size_t len)
{
	char head[16];

	house_send(fd, head, (size_t)snprintf(head, sizeof(head), "%zx\r\n", len));
	house_send(fd, bytes, len);
	house_send(fd, "\r\n", 2);
}

static inline void house_send_rows(int fd, const struct house_rows *r, const char *request)
{
	const char *mark = strstr(request, "SELECT toUInt32(");
	uint32_t number = mark ? (uint32_t)strtoul(mark + 16, NULL, 10) : 0;
	uint8_t row[sizeof(number) + sizeof(r->bytes)];
	unsigned int i;
	size_t len;

	for (i = 0; i < r->nr; i++) {
		len = (i + 1 < r->nr ? r->begin[i + 1] : r->len) - r->begin[i];
		memcpy(row, &number, sizeof(number));
		memcpy(row + sizeof(number), r->bytes + r->begin[i], len);
		house_send_chunk(fd, row, sizeof(number) + len);
	}
}

/* Reads head and body, by Content-Length. Return: whether anything was received. */
static inline bool house_read(struct house_server *s, int fd)
{
	char *to = malloc(HOUSE_REQUEST_BYTES), *end = NULL, *length;
	size_t len = 0, body = 0;
	ssize_t n;

	assert_non_null(to);
	*to = '\0';
	while (!end || len < (size_t)(end - to) + 4 + body) {
		n = recv(fd, to + len, HOUSE_REQUEST_BYTES - 1 - len, 0);
		if (n <= 0)
			break;
		len += (size_t)n;
		to[len] = '\0';
		end = strstr(to, "\r\n\r\n");
		length = strstr(to, "Content-Length: ");
		body = length ? strtoul(length + 16, NULL, 10) : 0;
	}
	if (!len) {
		free(to);
		return false;
	}
	assert_true(s->nr < HOUSE_MAX_REQUESTS);
	s->len[s->nr] = len;
	s->request[s->nr++] = to;
	return true;
}

static inline void house_answer(struct house_server *s, int fd)
{
	static const struct house_answer none = { .head = HOUSE_OK, .tail = "" };
	const char *request = s->request[s->nr - 1];
	const struct house_answer *a = &none;
	unsigned int i;
	char byte;

	for (i = s->nr_answers; i; i--)
		if (!s->answers[i - 1].asks || strstr(request, s->answers[i - 1].asks))
			a = &s->answers[i - 1];
	if (a->head)
		house_send(fd, a->head, strlen(a->head));
	if (a->silent)
		recv(fd, &byte, 1, 0);
	for (i = 0; a->rows && i < (a->times ? a->times : 1); i++)
		house_send_rows(fd, a->rows, request);
	if (a->tail && *a->tail)
		house_send_chunk(fd, a->tail, strlen(a->tail));
	if (a->tail)
		house_send(fd, "0\r\n\r\n", 5);
}

static inline void *house_serve(void *arg)
{
	struct house_server *s = arg;
	int fd;

	while ((fd = accept(s->fd, NULL, NULL)) >= 0) {
		if (house_read(s, fd))
			house_answer(s, fd);
		shutdown(fd, SHUT_WR);
		close(fd);
	}
	return NULL;
}

static inline void house_start(struct house_server *s, const struct house_answer *answers,
			      unsigned int nr)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);

	*s = (struct house_server){ .answers = answers, .nr_answers = nr };
	s->fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(s->fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(s->fd, 4), 0);
	assert_int_equal(getsockname(s->fd, (struct sockaddr *)&a, &len), 0);
	snprintf(s->url, sizeof(s->url), "clickhouse://me:my%%20word@127.0.0.1:%u/a%%27b",
		 ntohs(a.sin_port));
	assert_int_equal(pthread_create(&s->thread, NULL, house_serve, s), 0);
}

static inline void house_stop(struct house_server *s)
{
	shutdown(s->fd, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	close(s->fd);
}

static inline void house_release(struct house_server *s)
{
	while (s->nr)
		free(s->request[--s->nr]);
}

/* A client of the server, with options beside the place; the caller releases both. */
static inline struct clickhouse *house_client(const struct house_server *s,
					     struct clickhouse_options o,
					     struct clickhouse_place *place)
{
	struct clickhouse *c;
	struct diag diag;

	assert_int_equal(clickhouse_place_parse(s->url, NULL, place, &diag), 0);
	o.place = place;
	assert_int_equal(clickhouse_new(&o, &c, &diag), 0);
	return c;
}

#endif /* USTACK_TESTS_CLICKHOUSE_SERVER_H */
