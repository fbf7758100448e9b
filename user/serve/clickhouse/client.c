// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks one ClickHouse server by POST: builds the request (a statement, a form with a temporary
 * table, or rows to insert), passes the answer to rows.h, and turns failures into an errno and a
 * message.
 */
#include "serve/clickhouse/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "serve/clickhouse/server_error.h"
#include "util/net/http.h"
#include "util/net/url.h"
#include "util/clock.h"

#include "util/poison.h"

#define RECEIVE_BYTES (512u << 10)
#define URL_BYTES 8192u
/* Most bytes of an answer that are not rows. */
#define MAX_WORDS (64u << 10)

/* A client: its connection and a copy of its options. */
struct clickhouse {
	struct net_http *http;
	struct clickhouse_options o;
};

/**
 * struct exchange - a request whose answer is being received
 * @c: the client
 * @rows: reads the rows of the answer
 * @diag: the caller's, or NULL
 * @foreign: number of bytes that are not rows
 * @err: negative errno of reading the answer, or 0
 */
struct exchange {
	struct clickhouse *c;
	struct clickhouse_rows rows;
	struct diag *diag;
	uint64_t foreign;
	int err;
};

/**
 * struct request - a POST request
 * @url: URL with its query
 * @type: header Content-Type, a whole line
 * @body: body, @len bytes
 * @len: number of bytes of @body
 */
struct request {
	char url[URL_BYTES];
	char type[128];
	char *body;
	size_t len;
};

/* A statement; its arguments are the mark, the columns and the rest. */
#define STATEMENT "SELECT toUInt32(%u), %s %s FORMAT RowBinary"

int clickhouse_new(const struct clickhouse_options *options, struct clickhouse **ret,
		   struct diag *diag)
{
	struct clickhouse *c = malloc(sizeof(*c));
	int err;

	*ret = NULL;
	if (!c)
		return diag_errno(diag, ENOMEM, NULL);
	*c = (struct clickhouse){ .o = *options };
	err = net_http_new(&c->http, diag);
	if (err) {
		free(c);
		return err;
	}
	if (!c->o.seconds)
		c->o.seconds = CLICKHOUSE_SECONDS;
	if (!c->o.max_bytes)
		c->o.max_bytes = CLICKHOUSE_ANSWER_BYTES;
	*ret = c;
	return 0;
}

void clickhouse_free(struct clickhouse *c)
{
	if (!c)
		return;
	net_http_free(c->http);
	free(c);
}

const char *clickhouse_shown(const struct clickhouse *c)
{
	return c->o.place->shown;
}

/* Keep bytes that are not rows: an error message. A page that is too long ends the transfer. */
static int take_error_text(struct exchange *x, const void *bytes, size_t len, long status)
{
	x->foreign += len;
	if (x->foreign > MAX_WORDS)
		return diag_set(x->diag, EPROTO, NULL, "the answer with status %ld is too long",
				status);
	x->rows.foreign = true;
	return clickhouse_rows_add(&x->rows, bytes, len, x->diag);
}

static bool take_body(const void *bytes, size_t len, long status, void *arg)
{
	struct exchange *x = arg;

	if (status == 200 && !x->rows.foreign)
		x->err = clickhouse_rows_add(&x->rows, bytes, len, x->diag);
	else
		x->err = take_error_text(x, bytes, len, status);
	return !x->err;
}

static bool is_stopped(void *arg)
{
	const struct clickhouse_options *o = &((struct exchange *)arg)->c->o;

	return o->stop && o->stop(o->arg);
}

static int errno_of(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		return EHOSTUNREACH;
	case CURLE_COULDNT_CONNECT:
		return ECONNREFUSED;
	case CURLE_OPERATION_TIMEDOUT:
		return ETIMEDOUT;
	case CURLE_OUT_OF_MEMORY:
	case CURLE_FAILED_INIT:
		return ENOMEM;
	case CURLE_ABORTED_BY_CALLBACK:
		return EINTR;
	case CURLE_PARTIAL_FILE:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
		return EPIPE;
	default:
		return EPROTO;
	}
}

/* Return: the result of a request. An error message counts even if the transfer succeeded. */
static int judge(struct exchange *x, const struct net_http_end *end)
{
	struct clickhouse_rows *r = &x->rows;

	if (x->err)
		return x->err;
	if (end->head_too_long)
		return diag_set(x->diag, EPROTO, NULL, "the answer's head is longer than %u bytes",
				NET_HTTP_HEAD_BYTES);
	if (end->status && end->status != 200)
		return clickhouse_server_error(r->words, end->status, x->diag);
	if (end->code != CURLE_OK)
		return diag_set(x->diag, errno_of(end->code), NULL, "%s", end->words);
	if (r->foreign && strstr(r->words, "Exception"))
		return clickhouse_server_error(r->words, end->status, x->diag);
	return clickhouse_rows_end(r, x->diag);
}

/* Send a request and receive its answer. An offset in the diag is an offset in the answer. */
static int exchange(struct exchange *x, const struct request *r)
{
	const struct clickhouse *c = x->c;
	const struct clickhouse_place *p = c->o.place;
	const struct net_http_server server = {
		.ca_file = c->o.ca_file, .timeout_ms = c->o.seconds * 1000, .receive_bytes = RECEIVE_BYTES,
		.user = p->user ? p->user : p->password ? "default" : NULL, .password = p->password,
	};
	const char *const headers[] = { r->type, NULL };
	const struct net_http_request request = {
		.url = r->url, .headers = headers, .body = r->body, .len = r->len,
	};
	const struct net_http_receiver take = { .body = take_body, .stop = is_stopped, .arg = x };
	struct net_http_end end;
	int err;

	if (x->diag)
		x->diag->offset = DIAG_NO_OFFSET;
	net_http_post(c->http, &server, &request, &take, &end);
	err = judge(x, &end);
	if (err && x->diag && !x->diag->file)
		x->diag->file = p->shown;
	return err;
}

static size_t put_database(const struct clickhouse *c, char *url, size_t room)
{
	size_t n = (size_t)snprintf(url, room, "%s?wait_end_of_query=1&database=",
				    c->o.place->endpoint);

	return n < room ? n + net_url_escape(c->o.place->database, url + n, room - n) : n;
}

/*
 * Return: a random mark, so that it differs from that of the previous question. None of its bytes
 * is a letter (ASCII), so no error message begins with it.
 */
static uint32_t new_mark(void)
{
	uint32_t mark = 0;

	if (getrandom(&mark, sizeof(mark), 0) != sizeof(mark))
		mark = (uint32_t)clock_ns(CLOCK_REALTIME);
	return mark | 0x80808080;
}

/* Boundary of a form: so long and random that no table contains it by chance. */
#define BOUNDARY "ustack-%016llx%016llx"
#define BOUNDARY_BYTES 48

static int make_boundary(char ret[BOUNDARY_BYTES])
{
	unsigned long long random[2];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -errno;
	snprintf(ret, BOUNDARY_BYTES, BOUNDARY, random[0], random[1]);
	return 0;
}

/*
 * Make a form (RFC 7578) with the statement and its table. A statement may be too long for the
 * URL, so it is not sent there.
 */
static int make_form(const struct clickhouse_question *q, uint32_t mark, const char *boundary,
		     struct request *ret)
{
	FILE *out = open_memstream(&ret->body, &ret->len);
	bool bad;

	if (!out)
		return -ENOMEM;
	fprintf(out, "--%s\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\n", boundary);
	fprintf(out, STATEMENT "\r\n--%s\r\n", mark, q->columns, q->rest, boundary);
	fprintf(out, "Content-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
		"Content-Type: application/octet-stream\r\n\r\n", q->table->name, q->table->name);
	fwrite(q->table->rows, 1, q->table->len, out);
	fprintf(out, "\r\n--%s--\r\n", boundary);
	bad = ferror(out);
	return fclose(out) || bad ? -ENOMEM : 0;
}

static size_t put_structure(const struct clickhouse_external *t, char *url, size_t room)
{
	size_t n = (size_t)snprintf(url, room, "&%s_format=RowBinary&%s_structure=", t->name,
				    t->name);

	return n < room ? n + net_url_escape(t->structure, url + n, room - n) : n;
}

static int make_request(const struct clickhouse *c, const struct clickhouse_question *q,
			uint32_t mark, struct request *ret)
{
	char boundary[BOUNDARY_BYTES];
	size_t n = put_database(c, ret->url, URL_BYTES);
	int len, err;

	snprintf(ret->type, sizeof(ret->type), "Content-Type: text/plain");
	if (q->table) {
		err = make_boundary(boundary);
		err = err ? err : make_form(q, mark, boundary, ret);
		if (err)
			return err;
		snprintf(ret->type, sizeof(ret->type),
			 "Content-Type: multipart/form-data; boundary=%s", boundary);
		n += put_structure(q->table, ret->url + n, URL_BYTES - n);
	} else {
		len = asprintf(&ret->body, STATEMENT, mark, q->columns, q->rest);
		if (len < 0) {
			ret->body = NULL;
			return -ENOMEM;
		}
		ret->len = (size_t)len;
	}
	/* the server's default limit of a statement may be too small for its texts */
	snprintf(ret->url + n, URL_BYTES - n, "&max_execution_time=%u&max_query_size=%zu",
		 c->o.seconds, strlen(q->columns) + strlen(q->rest) + 256);
	return 0;
}

int clickhouse_select(struct clickhouse *c, const struct clickhouse_question *q,
		      struct clickhouse_work *ret, struct diag *diag)
{
	struct exchange x = { .c = c, .diag = diag };
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	struct request request = { .body = NULL };
	uint32_t mark = new_mark();
	int err = make_request(c, q, mark, &request);

	clickhouse_rows_init(&x.rows, q->types, q->nr_types, mark, q->take, q->arg);
	x.rows.max_rows = c->o.max_rows;
	x.rows.max_bytes = c->o.max_bytes;
	err = err ? diag_errno(diag, -err, c->o.place->shown) : exchange(&x, &request);
	if (!err && ret)
		*ret = (struct clickhouse_work){ .rows = x.rows.nr, .bytes = x.rows.nr_bytes,
						 .ns = clock_ns(CLOCK_MONOTONIC) - begin };
	clickhouse_rows_release(&x.rows);
	free(request.body);
	return err;
}

int clickhouse_select_sql(struct clickhouse *c, const char *columns, struct sql *rest,
			  const struct clickhouse_question *how, struct diag *diag)
{
	struct clickhouse_question q = *how;

	if (sql_end(rest))
		return diag_errno(diag, ENOMEM, NULL);
	q.columns = columns;
	q.rest = rest->text;
	return clickhouse_select(c, &q, NULL, diag);
}

static int refuse_row(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	return diag_set(diag, EPROTO, NULL, "the server answers a statement that has no answer");
}

/* Send a request that has no answer: any answer is an error message. */
static int send_only(struct clickhouse *c, const struct request *r, struct diag *diag)
{
	struct exchange x = { .c = c, .diag = diag };
	int err;

	clickhouse_rows_init(&x.rows, NULL, 0, new_mark(), refuse_row, NULL);
	err = exchange(&x, r);
	clickhouse_rows_release(&x.rows);
	return err;
}

int clickhouse_insert(struct clickhouse *c, const char *table, const void *rows, size_t len,
		      struct diag *diag)
{
	/* the body is only sent, so its const may be cast away */
	struct request r = { .body = (char *)(uintptr_t)rows, .len = len,
			     .type = "Content-Type: application/octet-stream" };
	size_t n = put_database(c, r.url, URL_BYTES);

	n += (size_t)snprintf(r.url + n, URL_BYTES - n, "&query=INSERT%%20INTO%%20");
	n += net_url_escape(table, r.url + n, URL_BYTES - n);
	/* wait until the shards have the rows, not only the Distributed table's queue */
	snprintf(r.url + n, URL_BYTES - n, "%%20FORMAT%%20RowBinary&insert_distributed_sync=1");
	return send_only(c, &r, diag);
}

int clickhouse_execute(struct clickhouse *c, const char *statement, struct diag *diag)
{
	struct request r = { .body = (char *)(uintptr_t)statement, .len = strlen(statement),
			     .type = "Content-Type: text/plain" };

	/* ON CLUSTER answers with a row of each server; it is not needed: errors are exceptions */
	snprintf(r.url, URL_BYTES, "%s?wait_end_of_query=1&default_format=Null",
		 c->o.place->endpoint);
	return send_only(c, &r, diag);
}
