// SPDX-License-Identifier: GPL-2.0-only
#include "clickhouse/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "clickhouse/words.h"
#include "net/curl.h"
#include "net/url.h"
#include "util/clock.h"

#include "util/poison.h"

#define CONNECT_MS 10000l
#define RECEIVE_BYTES (512l << 10)
#define URL_BYTES 8192u
/* Of heads of HTTP, and of an answer that is no row. */
#define HEAD_BYTES (64u << 10)
#define MAX_WORDS (64u << 10)

struct clickhouse {
	const struct net_curl *c;
	struct clickhouse_options o;
	CURL *easy;
	CURLM *multi;
};

/**
 * struct exchange - a request on its way
 * @rows: of the answer
 * @status: of HTTP, 0 until it is there
 * @foreign: bytes that are no rows
 * @head: bytes of heads
 * @err: of @rows, or of what was too much
 */
struct exchange {
	struct clickhouse *c;
	struct clickhouse_rows rows;
	struct diag *diag;
	long status;
	uint64_t foreign;
	uint64_t head;
	int err;
};

/**
 * struct request - what is sent
 * @url: with its query
 * @type: header of HTTP
 * @body: @len bytes
 */
struct request {
	char url[URL_BYTES];
	char type[128];
	char *body;
	size_t len;
};

/* Its mark, columns and rest. */
#define STATEMENT "SELECT toUInt32(%u), %s %s FORMAT RowBinary"

#define set(c, option, value) ((c)->c->p_curl_easy_setopt((c)->easy, (option), (value)))

int clickhouse_new(const struct clickhouse_options *options, struct clickhouse **ret,
		   struct diag *diag)
{
	const struct net_curl *curl = net_curl(diag);
	struct clickhouse *c;

	*ret = NULL;
	if (!curl)
		return -ENOSYS;
	c = malloc(sizeof(*c));
	if (!c)
		return diag_errno(diag, ENOMEM, NULL);
	*c = (struct clickhouse){ .c = curl, .o = *options };
	if (!c->o.seconds)
		c->o.seconds = CLICKHOUSE_SECONDS;
	if (!c->o.max_bytes)
		c->o.max_bytes = CLICKHOUSE_ANSWER_BYTES;
	c->easy = curl->p_curl_easy_init();
	c->multi = curl->p_curl_multi_init();
	if (!c->easy || !c->multi) {
		clickhouse_free(c);
		return diag_errno(diag, ENOMEM, NULL);
	}
	*ret = c;
	return 0;
}

void clickhouse_free(struct clickhouse *c)
{
	if (!c)
		return;
	if (c->easy)
		c->c->p_curl_easy_cleanup(c->easy);
	if (c->multi)
		c->c->p_curl_multi_cleanup(c->multi);
	free(c);
}

const char *clickhouse_shown(const struct clickhouse *c)
{
	return c->o.place->shown;
}

static size_t take_head(char *bytes, size_t size, size_t nr, void *arg)
{
	struct exchange *x = arg;

	x->head += size * nr;
	if (x->head <= HEAD_BYTES)
		return size * nr;
	x->err = diag_set(x->diag, EPROTO, NULL, "the answer's head has no end within %u bytes",
			  HEAD_BYTES);
	return 0;
}

/* What is no row is words; a page without end is not read to its end. */
static int take_words(struct exchange *x, const void *bytes, size_t len)
{
	x->foreign += len;
	if (x->foreign > MAX_WORDS)
		return diag_set(x->diag, EPROTO, NULL, "the answer has status %ld and no end", x->status);
	x->rows.foreign = true;
	return clickhouse_rows_add(&x->rows, bytes, len, x->diag);
}

static size_t take_body(char *bytes, size_t size, size_t nr, void *arg)
{
	struct exchange *x = arg;
	size_t len = size * nr;

	x->c->c->p_curl_easy_getinfo(x->c->easy, CURLINFO_RESPONSE_CODE, &x->status);
	if (x->status == 200 && !x->rows.foreign)
		x->err = clickhouse_rows_add(&x->rows, bytes, len, x->diag);
	else
		x->err = take_words(x, bytes, len);
	return x->err ? 0 : len;
}

static void set_connection(struct clickhouse *c, struct exchange *x)
{
	const struct clickhouse_place *p = c->o.place;

	net_curl_connection(c->c, c->easy, c->o.ca_file);
	set(c, CURLOPT_TIMEOUT_MS, (long)c->o.seconds * 1000);
	set(c, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	set(c, CURLOPT_BUFFERSIZE, RECEIVE_BYTES);
	if (p->user || p->password) {
		set(c, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		set(c, CURLOPT_USERNAME, p->user ? p->user : "default");
		set(c, CURLOPT_PASSWORD, p->password ? p->password : "");
	}
	set(c, CURLOPT_WRITEFUNCTION, take_body);
	set(c, CURLOPT_WRITEDATA, x);
	set(c, CURLOPT_HEADERFUNCTION, take_head);
	set(c, CURLOPT_HEADERDATA, x);
}

/* Return: how it ended; CURLE_ABORTED_BY_CALLBACK if it was stopped. */
static CURLcode perform(struct clickhouse *c)
{
	const struct net_curl *p = c->c;
	int running = 1, left;
	CURLMsg *m;

	while (running && !(c->o.stop && c->o.stop(c->o.arg))) {
		if (p->p_curl_multi_perform(c->multi, &running) != CURLM_OK)
			return CURLE_FAILED_INIT;
		if (running && p->p_curl_multi_poll(c->multi, NULL, 0, 250, NULL) != CURLM_OK)
			return CURLE_FAILED_INIT;
	}
	while ((m = p->p_curl_multi_info_read(c->multi, &left)))
		if (m->msg == CURLMSG_DONE)
			return m->data.result;
	return CURLE_ABORTED_BY_CALLBACK;
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

/* What came of it. A failure in words is one, however the transfer ended. */
static int judge(struct exchange *x, CURLcode code, const char *words)
{
	struct clickhouse_rows *r = &x->rows;

	x->c->c->p_curl_easy_getinfo(x->c->easy, CURLINFO_RESPONSE_CODE, &x->status);
	if (x->err)
		return x->err;
	if (x->status && x->status != 200)
		return clickhouse_words(r->words, x->status, x->diag);
	if (code != CURLE_OK)
		return diag_set(x->diag, errno_of(code), NULL, "%s",
				*words ? words : x->c->c->p_curl_easy_strerror(code));
	if (r->foreign && strstr(r->words, "Exception"))
		return clickhouse_words(r->words, x->status, x->diag);
	return clickhouse_rows_end(r, x->diag);
}

/* The offset of what is wrong is one of the answer. */
static int exchange(struct exchange *x, const struct request *r)
{
	struct clickhouse *c = x->c;
	char words[CURL_ERROR_SIZE] = "";
	struct curl_slist *list;
	CURLcode code;
	int err;

	list = c->c->p_curl_slist_append(NULL, r->type);
	if (!list)
		return diag_errno(x->diag, ENOMEM, c->o.place->shown);
	if (x->diag)
		x->diag->offset = DIAG_NO_OFFSET;
	c->c->p_curl_easy_reset(c->easy);
	set_connection(c, x);
	set(c, CURLOPT_ERRORBUFFER, words);
	set(c, CURLOPT_URL, r->url);
	set(c, CURLOPT_POST, 1l);
	set(c, CURLOPT_POSTFIELDS, r->body);
	set(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->len);
	set(c, CURLOPT_HTTPHEADER, list);
	c->c->p_curl_multi_add_handle(c->multi, c->easy);
	code = perform(c);
	err = judge(x, code, words);
	c->c->p_curl_multi_remove_handle(c->multi, c->easy);
	set(c, CURLOPT_ERRORBUFFER, NULL);
	set(c, CURLOPT_HTTPHEADER, NULL);
	c->c->p_curl_slist_free_all(list);
	if (err && x->diag && !x->diag->file)
		x->diag->file = c->o.place->shown;
	return err;
}

static size_t put_database(const struct clickhouse *c, char *url, size_t room)
{
	size_t n = (size_t)snprintf(url, room, "%s?wait_end_of_query=1&database=",
				    c->o.place->endpoint);

	return n < room ? n + net_url_escape(c->o.place->database, url + n, room - n) : n;
}

/* Never that of a letter, nor the one of the question before. */
static uint32_t new_mark(void)
{
	uint32_t mark = 0;

	if (getrandom(&mark, sizeof(mark), 0) != sizeof(mark))
		mark = (uint32_t)clock_ns(CLOCK_REALTIME);
	return mark | 0x80808080;
}

/* What divides the parts of a request; of a length that no table has by chance. */
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

/* The statement and its table as a form (RFC 7578): URLs are too short for statements. */
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
	/* a statement may be as long as its texts need */
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
	return diag_set(diag, EPROTO, NULL, "there is an answer to what has none");
}

/* What has no answer: whatever comes is words. */
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
	/* it is sent, not changed */
	struct request r = { .body = (char *)(uintptr_t)rows, .len = len,
			     .type = "Content-Type: application/octet-stream" };
	size_t n = put_database(c, r.url, URL_BYTES);

	n += (size_t)snprintf(r.url + n, URL_BYTES - n, "&query=INSERT%%20INTO%%20");
	n += net_url_escape(table, r.url + n, URL_BYTES - n);
	/* what a Distributed table has put off is nowhere yet */
	snprintf(r.url + n, URL_BYTES - n, "%%20FORMAT%%20RowBinary&insert_distributed_sync=1");
	return send_only(c, &r, diag);
}

int clickhouse_make(struct clickhouse *c, const char *statement, struct diag *diag)
{
	struct request r = { .body = (char *)(uintptr_t)statement, .len = strlen(statement),
			     .type = "Content-Type: text/plain" };

	/* the rows that ON CLUSTER has, one of each server, say nothing if there is no exception */
	snprintf(r.url, URL_BYTES, "%s?wait_end_of_query=1&default_format=Null",
		 c->o.place->endpoint);
	return send_only(c, &r, diag);
}
