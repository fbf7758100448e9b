// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fleet's ClickHouse, over HTTP. An insert of samples is one block of one day, of which
 * each of the tables behind `incoming` has all or nothing. After a failure that does not say
 * which, and at the start, they are asked: Documentation/push.md has the argument.
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

/* What was on its way when its connection broke may be read only then. */
#define SETTLE_MS 1000u
/* Of as many in a row each would have to be cut where it was not before. */
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

/* Return: false, with a failure of this side's or the server's. */
static bool fail(struct push_target *t, enum push_failure failure, const char *words)
{
	t->answer.failure = failure;
	snprintf(t->answer.error, sizeof(t->answer.error), "%s", words);
	return false;
}

/* Return: whether it was acknowledged; else the target's answer says why not. */
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
	/* it does not mean that these windows are bad: a table is, or the server is another */
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

/* @columns: the table and what of it; @id: of a query that may be asked for. */
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
		return fail(t, PUSH_LIED, "an answer to an insert is empty, this one is not");
	return true;
}

static bool greet(struct push_target *t)
{
	struct clickhouse_session *s = session_of(t);
	struct buffer question = { 0 };

	if (*s->settings)
		return true;
	buffer_text(&question, clickhouse_ask_settings);
	if (!ask(t, &question))
		return false;
	if (clickhouse_settings(t->answer.body, s->settings, sizeof(s->settings)))
		return fail(t, PUSH_LIED, "no ClickHouse answers like this");
	return true;
}

/* Return: whether no insert of this request runs there. */
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
		return fail(t, PUSH_LIED, "the answer is no number");
	return fail(t, PUSH_BUSY, "the insert is still running there");
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
		return fail(t, PUSH_LIED, "the answer is not what was asked for");
	return true;
}

/* Twice, unless something was found. */
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

/* All parts are alike here: to each table that has none of them. */
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

static enum push_verdict remake(struct push_target *t, const struct push_point *until)
{
	if (++session_of(t)->remakes > MAX_REMAKES) {
		fail(t, PUSH_LOCAL, "windows there are cut as none are here");
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

/* It is nowhere. A line that is too slow for it does not become faster. */
static enum push_verdict absent(struct push_target *t)
{
	struct clickhouse_session *s = session_of(t);

	t->doubt = false;
	if (s->timeouts < PUSH_SMALLER_AFTER || t->samples < 2 * PUSH_SMALLEST)
		return PUSH_ACKNOWLEDGED;
	s->timeouts = 0;
	fail(t, PUSH_TIMEOUT, "so much at once takes too long");
	return PUSH_SPLIT;
}

/* Return: %PUSH_ACKNOWLEDGED if there is no doubt any more; @there says how it ended. */
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

static bool tell(struct push_target *t)
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

/* Whether none of it can have become an insert. */
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

/* All is told again that the request refers to. */
static enum push_verdict begin_anew(struct push_target *t)
{
	struct clickhouse_session *s = session_of(t);

	/* what may be there must come again as it was */
	t->pinned |= t->doubt;
	s->other = false;
	*s->settings = '\0';
	clickhouse_known_release(&s->known);
	return PUSH_REMAKE;
}

enum push_verdict clickhouse_send(struct push_target *t)
{
	struct clickhouse_batch *b = t->body.more;
	enum push_verdict verdict = PUSH_ACKNOWLEDGED;
	bool there = false;

	if (session_of(t)->other)
		return begin_anew(t);
	if (!greet(t))
		return failed(t);
	if (t->doubt)
		verdict = resolve(t, &there);
	if (verdict != PUSH_ACKNOWLEDGED)
		return verdict;
	/* who has the samples has been told what they refer to */
	if (!there && !tell(t))
		return failed(t);
	b->told = true;
	if (!there)
		verdict = insert_samples(t);
	if (verdict == PUSH_ACKNOWLEDGED)
		session_of(t)->remakes = 0;
	return verdict;
}
