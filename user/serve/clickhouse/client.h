/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One ClickHouse server, one question at a time, by its HTTP interface and libcurl (loaded
 * when it is needed, util/net/curl.h). Certificates are always verified; no proxy, no .netrc,
 * nothing of the environment; no redirection is followed.
 *
 *	clickhouse_place_parse("clickhouse://db/ustack", NULL, &place, &diag);
 *	clickhouse_new(&(struct clickhouse_options){ .place = &place }, &c, &diag);
 *	clickhouse_select(c, &question, &diag);
 *	clickhouse_free(c);
 *
 * The server is asked to have the whole answer before it begins with it, on its disk if need
 * be (wait_end_of_query): then what fails has a status that says so. Where a server or
 * something in between does otherwise, rows.h finds it.
 *
 * Context: one thread for each struct clickhouse.
 */
#ifndef USTACK_USER_CLICKHOUSE_CLIENT_H
#define USTACK_USER_CLICKHOUSE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/clickhouse/place.h"
#include "serve/clickhouse/rows.h"
#include "serve/clickhouse/sql.h"
#include "util/diag.h"

/* Unless the options say otherwise. */
#define CLICKHOUSE_ANSWER_BYTES (4ull << 30)
#define CLICKHOUSE_SECONDS 300u

/**
 * struct clickhouse_options - all zero but @place is what most want
 * @place: of the server; borrowed, for as long as the client is there
 * @ca_file: certificates that the server's is verified with; NULL is the system's
 * @seconds: that an answer may take, its reading included; 0 is CLICKHOUSE_SECONDS
 * @max_rows: of an answer; 0 is no limit
 * @max_bytes: of an answer; 0 is CLICKHOUSE_ANSWER_BYTES
 * @stop: looked at a few times a second: -EINTR when it gives true; may be NULL
 * @arg: for @stop
 */
struct clickhouse_options {
	const struct clickhouse_place *place;
	const char *ca_file;
	unsigned int seconds;
	uint64_t max_rows;
	uint64_t max_bytes;
	bool (*stop)(void *arg);
	void *arg;
};

struct clickhouse;

/* Return: 0; -ENOSYS without libcurl; -ENOMEM. @ret is NULL on failure. */
int clickhouse_new(const struct clickhouse_options *options, struct clickhouse **ret,
		   struct diag *diag);
void clickhouse_free(struct clickhouse *c);
/* Return: the place that it asks, without a secret; as long as the client is there. */
const char *clickhouse_shown(const struct clickhouse *c);

/**
 * struct clickhouse_external - a table that goes with a question and is there for it alone
 * @name: of the table, a constant
 * @structure: "id UInt64, class UInt32", a constant
 * @rows: in RowBinary, @len bytes
 * @len: any
 */
struct clickhouse_external {
	const char *name;
	const char *structure;
	const void *rows;
	size_t len;
};

/**
 * struct clickhouse_question - a select
 * @columns: "a, b"; what is no constant in these two is of sql.h
 * @rest: " FROM t WHERE ..."
 * @types: of the columns, as they come in RowBinary: no Nullable
 * @nr_types: at most CLICKHOUSE_MAX_COLUMNS
 * @take: gets each row
 * @arg: for @take
 * @table: that @rest speaks of; NULL is none
 */
struct clickhouse_question {
	const char *columns;
	const char *rest;
	const enum clickhouse_type *types;
	unsigned int nr_types;
	clickhouse_row_fn *take;
	void *arg;
	const struct clickhouse_external *table;
};

/**
 * struct clickhouse_work - what an answer took
 * @rows: of it
 * @bytes: of it
 * @ns: until its end
 */
struct clickhouse_work {
	uint64_t rows;
	uint64_t bytes;
	uint64_t ns;
};

/**
 * clickhouse_select() - ask
 * @c: the server
 * @q: the question
 * @ret: may be NULL
 * @diag: names the place; may be NULL
 *
 * Rows that were taken before a failure are part of no answer.
 *
 * Return: 0; as clickhouse_words(), clickhouse_rows_add(); -ECONNREFUSED, -EHOSTUNREACH,
 * -ETIMEDOUT, -EPROTO (TLS, or no HTTP), -EPIPE (the answer ends before its end), -EINTR; what
 * @q->take returned.
 */
int clickhouse_select(struct clickhouse *c, const struct clickhouse_question *q,
		      struct clickhouse_work *ret, struct diag *diag);

/**
 * clickhouse_select_sql() - the same of a statement that was made
 * @c: the server
 * @columns: see struct clickhouse_question
 * @rest: the same; ends here
 * @how: all else of the question
 * @diag: as above
 *
 * Return: as clickhouse_select(); -ENOMEM if @rest could not be made.
 */
int clickhouse_select_sql(struct clickhouse *c, const char *columns, struct sql *rest,
			  const struct clickhouse_question *how, struct diag *diag);

/**
 * clickhouse_insert() - put rows into a table
 * @c: the server
 * @table: "t (a, b)", as @columns of a question
 * @rows: in RowBinary, @len bytes
 * @len: any; all of it is one insert
 * @diag: as above
 *
 * Return: as clickhouse_select(). After anything but 0, or what the server refused, it may
 * have been put.
 */
int clickhouse_insert(struct clickhouse *c, const char *table, const void *rows, size_t len,
		      struct diag *diag);

/**
 * clickhouse_make() - have something made, such as a table
 * @c: the server
 * @statement: one that has no answer; it says its database itself, as the place's may not be
 *             there yet
 * @diag: as above
 *
 * Return: as clickhouse_insert().
 */
int clickhouse_make(struct clickhouse *c, const char *statement, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_CLIENT_H */
