// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends requests to a fleet's ClickHouse, over HTTP. An insert of samples is one block of one day:
 * each table behind `incoming` gets all of it or nothing. After a failure that does not tell
 * which, and at the start, the tables are asked. Documentation/push.md, section "Exactly once",
 * has the reasons. Called in the target's thread.
 */
#include "serve/push/clickhouse_send.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "serve/clickhouse/siphash.h"
#include "util/net/url.h"
#include "serve/push/answer.h"
#include "serve/push/clickhouse_ask.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* Wait before the second question: the server may still be reading an insert from the network. */
#define SETTLE_MS 1000u
/*
 * Most requests that are built again in a row because the server has parts that end elsewhere.
 * More would mean that the server has windows which this store cannot make.
 */
#define MAX_REMAKES 64u
#define WORDS_BYTES 256u

static const char *database_of(const struct push_target *t)
{
	return t->options.database ? t->options.database : CLICKHOUSE_DEFAULT_DATABASE;
}

static struct clickhouse_session *session_of(const struct push_target *t)
{
	return t->body.session;
}

/* Set a failure that is not an HTTP error. Return: false. */
static bool fail(struct push_target *t, enum push_failure failure, const char *words)
{
	t->answer.failure = failure;
	snprintf(t->answer.error, sizeof(t->answer.error), "%s", words);
	return false;
}

/* Return: whether the request was acknowledged; else the target's @answer says why not. */
static bool post(struct push_target *t, const char *query, struct push_request *request)
{
	char *base = net_url_join(t->options.url, t->peer->path);
	_cleanup_(cleanup_free) char *url = NULL;
	struct push_answer *a = &t->answer;

	if (!base || asprintf(&url, "%s%s", base, query) < 0)
		url = NULL;
	free(base);
	if (!url)
		return fail(t, PUSH_LOCAL, strerror(ENOMEM));
	request->url = url;
	request->identity = t->identity;
	push_http_send(t->http, request, a);
	/* these windows are not the reason: a table is wrong, or this is another server */
	if (a->failure == PUSH_REFUSED)
		a->failure = PUSH_NOT_THERE;
	if (a->failure)
		push_answer_explain(a);
	return !a->failure;
}

static bool ask(struct push_target *t, struct buffer *question)
{
	bool good = !question->failed;

	if (!good)
		fail(t, PUSH_LOCAL, strerror(ENOMEM));
	else
		good = post(t, "?wait_end_of_query=1", &(struct push_request){
			.type = "text/plain", .body = question->at, .len = question->len });
	buffer_release(question);
	return good;
}

static uint64_t query_id(const struct push_target *t)
{
	return siphash(t->identity, strlen(t->identity));
}

/*
 * Insert @rows. @columns: table and columns; @id: query_id by which is_at_rest() finds the insert,
 * NULL for rows that may be sent twice
 */
static bool insert(struct push_target *t, const char *columns, const struct buffer *rows,
		   const char *id)
{
	char escaped[2048], query[4096], into[1024];
	int n;

	snprintf(into, sizeof(into), "INSERT INTO `%s`.%s FORMAT RowBinary", database_of(t),
		 columns);
	n = snprintf(query, sizeof(query), "?query=");
	net_url_escape(into, escaped, sizeof(escaped));
	snprintf(query + n, sizeof(query) - (size_t)n, "%s%s%s%s", escaped,
		 session_of(t)->settings, id ? "&query_id=" : "", id ? id : "");
	if (!post(t, query, &(struct push_request){ .type = t->body.type, .gzip = true,
		  .body = rows->at, .len = rows->len, .once = id != NULL }))
		return false;
	if (t->answer.len)
		return fail(t, PUSH_LIED, "the answer to an insert is not empty");
	return true;
}

/* Ask for the server's settings, once in a session. */
static bool ask_settings(struct push_target *t)
{
	struct clickhouse_session *s = session_of(t);
	struct buffer question = { 0 };

	if (*s->settings)
		return true;
	buffer_text(&question, clickhouse_ask_settings);
	if (!ask(t, &question))
		return false;
	if (clickhouse_settings(t->answer.body, s->settings, sizeof(s->settings)))
		return fail(t, PUSH_LIED, "the answer is not one of a ClickHouse server");
	return true;
}

/* Return: whether the server runs no insert of this request. */
static bool is_at_rest(struct push_target *t)
{
	struct buffer question = { 0 };
	char words[WORDS_BYTES];

	snprintf(words, sizeof(words), "SELECT count() FROM system.processes WHERE query_id LIKE "
		 "'ustack-%016" PRIx64 "%%' FORMAT TabSeparated", query_id(t));
	buffer_text(&question, words);
	if (!ask(t, &question))
		return false;
	if (!strcmp(t->answer.body, "0\n"))
		return true;
	if (t->answer.body[strspn(t->answer.body, "0123456789\n")] || !t->answer.len)
		return fail(t, PUSH_LIED, "the answer is not a number");
	return fail(t, PUSH_BUSY, "the server is still running the insert");
}

static bool find(struct push_target *t, enum clickhouse_finding *ret, struct push_point *until)
{
	struct clickhouse_batch *b = t->body.more;
	struct buffer question = { 0 };

	if (!is_at_rest(t))
		return false;
	clickhouse_ask(database_of(t), b, &question);
	if (!ask(t, &question))
		return false;
	if (clickhouse_find(t->answer.body, t->answer.len, t->common->host, b, ret, until))
		return fail(t, PUSH_LIED, "the answer does not fit the question");
	return true;
}

/* Ask twice, unless the first answer finds something. */
static bool find_settled(struct push_target *t, enum clickhouse_finding *ret,
			 struct push_point *until)
{
	if (!find(t, ret, until))
		return false;
	if (*ret != CLICKHOUSE_NOWHERE)
		return true;
	push_wait_ms(t, SETTLE_MS);
	return find(t, ret, until);
}

/* Send the insert to each table that lacks it. All parts have the same @there here. */
static bool insert_lacking(struct push_target *t)
{
	const struct clickhouse_batch *b = t->body.more;
	const char *columns = strchr(clickhouse_columns, ' ');
	char table[1024], id[64];
	uint32_t i;

	for (i = 0; i < CLICKHOUSE_NR_TARGETS; i++) {
		if (b->parts->there & 1u << i)
			continue;
		snprintf(table, sizeof(table), "incoming_%s%s", clickhouse_targets[i], columns);
		snprintf(id, sizeof(id), "ustack-%016" PRIx64 "-%u", query_id(t), i);
		if (!insert(t, table, &t->body.bytes, id))
			return false;
	}
	return true;
}

/* Build the request again, from the same position up to @until. */
static enum push_verdict remake(struct push_target *t, const struct push_point *until)
{
	if (++session_of(t)->remakes > MAX_REMAKES) {
		fail(t, PUSH_LOCAL, "the server has parts of windows that end as none can end here");
		return PUSH_RETRY_SLOWLY;
	}
	pthread_mutex_lock(&t->common->lock);
	t->position.until = *until;
	pthread_mutex_unlock(&t->common->lock);
	t->pinned = true;
	t->batch = t->options.batch;
	t->max_samples = t->peer->samples;
	return PUSH_REMAKE;
}

static enum push_verdict failed(const struct push_target *t)
{
	session_of(t)->other |= t->answer.failure == PUSH_NOT_THERE;
	return push_verdict(t->answer.failure);
}

/*
 * No table has the insert, so it may be sent. After several timeouts it is made smaller: the
 * connection is too slow for so much at once.
 */
static enum push_verdict absent(struct push_target *t)
{
	struct clickhouse_session *s = session_of(t);

	t->doubt = false;
	if (s->timeouts < PUSH_SMALLER_AFTER || t->samples < 2 * PUSH_SMALLEST)
		return PUSH_ACKNOWLEDGED;
	s->timeouts = 0;
	fail(t, PUSH_TIMEOUT, "a request of this size takes too long");
	return PUSH_SPLIT;
}

/*
 * Find out whether the server has the insert. Return: %PUSH_ACKNOWLEDGED if that is known; @there
 * is set if all tables have it.
 */
static enum push_verdict resolve(struct push_target *t, bool *there)
{
	enum clickhouse_finding finding;
	struct push_point until;

	if (!find_settled(t, &finding, &until))
		return failed(t);
	switch (finding) {
	case CLICKHOUSE_NOWHERE:
		return absent(t);
	case CLICKHOUSE_OTHER_CUT:
		return remake(t, &until);
	case CLICKHOUSE_LACKING:
		if (!insert_lacking(t))
			return failed(t);
		break;
	case CLICKHOUSE_THERE:
		break;
	}
	*there = true;
	return PUSH_ACKNOWLEDGED;
}

/* Insert the rows of things that samples refer to. */
static bool insert_kinds(struct push_target *t)
{
	struct clickhouse_batch *b = t->body.more;
	int i;

	for (i = 0; i < CLICKHOUSE_NR_KINDS; i++) {
		if (!b->kinds[i].len)
			continue;
		if (!insert(t, clickhouse_inserts[i], &b->kinds[i], NULL))
			return false;
		buffer_release(&b->kinds[i]);
	}
	return true;
}

/* Return: whether the failure proves that nothing was inserted. */
static bool is_sure(enum push_failure failure)
{
	return failure == PUSH_UNRESOLVED || failure == PUSH_UNCONNECTED ||
	       failure == PUSH_TOO_LARGE;
}

static enum push_verdict insert_samples(struct push_target *t)
{
	struct clickhouse_session *s = session_of(t);
	char id[64];

	snprintf(id, sizeof(id), "ustack-%016" PRIx64, query_id(t));
	if (insert(t, clickhouse_columns, &t->body.bytes, id)) {
		s->timeouts = 0;
		return PUSH_ACKNOWLEDGED;
	}
	s->timeouts += t->answer.failure == PUSH_TIMEOUT;
	t->doubt = !is_sure(t->answer.failure);
	return failed(t);
}

/*
 * The server may be another one, or have new tables: forget the session, and build the request
 * again with everything that it refers to.
 */
static enum push_verdict begin_anew(struct push_target *t)
{
	struct clickhouse_session *s = session_of(t);

	/* a request that the server may have must be sent again unchanged */
	t->pinned |= t->doubt;
	s->other = false;
	*s->settings = '\0';
	clickhouse_number_set_release(&s->sent);
	return PUSH_REMAKE;
}

enum push_verdict clickhouse_send(struct push_target *t)
{
	struct clickhouse_batch *b = t->body.more;
	enum push_verdict verdict = PUSH_ACKNOWLEDGED;
	bool there = false;

	if (session_of(t)->other)
		return begin_anew(t);
	if (!ask_settings(t))
		return failed(t);
	if (t->doubt)
		verdict = resolve(t, &there);
	if (verdict != PUSH_ACKNOWLEDGED)
		return verdict;
	/* a server that has the samples has everything they refer to */
	if (!there && !insert_kinds(t))
		return failed(t);
	b->acknowledged = true;
	if (!there)
		verdict = insert_samples(t);
	if (verdict == PUSH_ACKNOWLEDGED)
		session_of(t)->remakes = 0;
	return verdict;
}
