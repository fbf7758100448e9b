/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers for tests of queries to the database of a fleet: a query, and the windows of the
 * answer.
 */
#ifndef USTACK_TESTS_CLICKHOUSE_WINDOWS_H
#define USTACK_TESTS_CLICKHOUSE_WINDOWS_H

#include "clickhouse_server.h"

#include "serve/clickhouse/query.h"

#define SECOND 1000000000ull
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)
/* The request for kinds of windows, with which every query begins. */
#define KINDS "GROUP BY types, units"

/* A row of such an answer; texts are separated by commas. */
struct windows {
	const char *types;
	const char *units;
	const char *comments;
	uint64_t nr;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t length_ns;
	uint64_t longest_ns;
};

#define USUAL { "samples,cpu", "count,nanoseconds", "", 3, 5 * SECOND, 35 * SECOND, \
		30 * SECOND, 10 * SECOND }

static inline void put_windows(struct house_rows *r, const struct windows *w)
{
	house_row(r);
	house_texts(r, w->types);
	house_texts(r, w->units);
	house_text(r, "cpu");
	house_number(r, 10, 8);
	house_text(r, "cpu");
	house_text(r, "nanoseconds");
	house_texts(r, w->comments);
	house_number(r, w->nr, 8);
	house_number(r, w->first_ns, 8);
	house_number(r, w->last_ns, 8);
	house_number(r, w->length_ns, 8);
	house_number(r, w->longest_ns, 8);
}

/* The answer about kinds of windows: one kind, with the usual values. */
static inline const struct house_rows *usual_windows(void)
{
	static struct house_rows r;

	r = (struct house_rows){ .nr = 0 };
	put_windows(&r, &(const struct windows)USUAL);
	return &r;
}

/**
 * struct asked - a query to a server
 * @q: the query, to be sent by @c
 */
struct asked {
	struct house_server s;
	struct clickhouse_place place;
	struct clickhouse *c;
	struct store_selector *selector;
	struct clickhouse_query q;
	struct diag diag;
};

static inline void asked_begin(struct asked *a, const struct house_answer *answers,
			       unsigned int nr, const char *selector)
{
	*a = (struct asked){ .c = NULL };
	assert_int_equal(store_selector_new(selector, &a->selector, &a->diag), 0);
	house_start(&a->s, answers, nr);
	a->c = house_client(&a->s, (struct clickhouse_options){ 0 }, &a->place);
	a->q.q.selector = a->selector;
}

/* After this the requests can be read. */
static inline void asked_stop(struct asked *a)
{
	clickhouse_free(a->c);
	house_stop(&a->s);
}

static inline void asked_release(struct asked *a)
{
	house_release(&a->s);
	clickhouse_place_release(&a->place);
	store_selector_free(a->selector);
}

static inline void asked_end(struct asked *a)
{
	asked_stop(a);
	asked_release(a);
}

#endif /* USTACK_TESTS_CLICKHOUSE_WINDOWS_H */
