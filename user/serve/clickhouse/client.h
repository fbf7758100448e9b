/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A client of one ClickHouse server, for one question at a time. It uses the server's HTTP
 * interface and libcurl, which is loaded when it is needed (util/net/curl.h). Certificates are
 * always verified. The client uses no proxy, no .netrc and no variable of the environment, and
 * follows no redirection.
 *
 *	clickhouse_place_parse("clickhouse://db/ustack", NULL, &place, &diag);
 *	clickhouse_new(&(struct clickhouse_options){ .place = &place }, &c, &diag);
 *	clickhouse_select(c, &question, &diag);
 *	clickhouse_free(c);
 *
 * The server is asked to complete its answer, if necessary on its disk, before it sends it
 * (wait_end_of_query). So the status of a question that fails is an error. If a server or a proxy
 * sends an error within an answer all the same, rows.h detects it.
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

/* Limits of an answer, if the options have none. */
#define CLICKHOUSE_ANSWER_BYTES (4ull << 30)
#define CLICKHOUSE_SECONDS 300u

/**
 * struct clickhouse_options - options of a client; all but @place may be zero
 * @place: URL of the server and its database; borrowed until clickhouse_free()
 * @ca_file: certificates to verify the server's with; NULL means those of the system
 * @seconds: time limit for an answer, including the transfer; 0 means CLICKHOUSE_SECONDS
 * @max_rows: most rows of an answer; 0 means no limit
 * @max_bytes: most bytes of an answer; 0 means CLICKHOUSE_ANSWER_BYTES
 * @stop: called a few times a second; if it returns true, the question fails with -EINTR. May be
 *        NULL
 * @arg: argument of @stop
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

/*
 * Make a client; nothing is sent yet. @options is copied, except @place. Return: 0; -ENOSYS
 * without libcurl; -ENOMEM. @ret is NULL on failure.
 */
int clickhouse_new(const struct clickhouse_options *options, struct clickhouse **ret,
		   struct diag *diag);
void clickhouse_free(struct clickhouse *c);
/* Return: the server's URL without a secret, valid until clickhouse_free(). */
const char *clickhouse_shown(const struct clickhouse *c);

/**
 * struct clickhouse_external - a temporary table that is sent with a question
 * @name: name of the table, a constant
 * @structure: columns of the table, such as "id UInt64, class UInt32", a constant
 * @rows: rows of the table in RowBinary, @len bytes
 * @len: number of bytes of @rows
 */
struct clickhouse_external {
	const char *name;
	const char *structure;
	const void *rows;
	size_t len;
};

/**
 * struct clickhouse_question - a SELECT
 * @columns: columns of the answer, "a, b"
 * @rest: the rest of the statement, " FROM t WHERE ..."
 * @types: type of each column in RowBinary; Nullable is not possible
 * @nr_types: number of entries in @types, at most CLICKHOUSE_MAX_COLUMNS
 * @take: called for each row
 * @arg: argument of @take
 * @table: temporary table that @rest uses; NULL if there is none
 *
 * @columns and @rest have only constants and what sql.h has quoted.
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
 * struct clickhouse_work - size and time of an answer
 * @rows: number of rows
 * @bytes: number of bytes
 * @ns: nanoseconds from the question to the end of the answer
 */
struct clickhouse_work {
	uint64_t rows;
	uint64_t bytes;
	uint64_t ns;
};

/**
 * clickhouse_select() - ask a question and pass each row of its answer to @q->take
 * @c: the server
 * @q: the question
 * @ret: gets size and time of the answer; may be NULL
 * @diag: names the server; may be NULL
 *
 * After a failure the caller must not use rows that it has got.
 *
 * Return: 0; as clickhouse_server_error(), clickhouse_rows_add(); -ECONNREFUSED, -EHOSTUNREACH,
 * -ETIMEDOUT, -EPROTO (TLS, or no HTTP), -EPIPE (the connection ended within the answer), -EINTR;
 * the result of @q->take.
 */
int clickhouse_select(struct clickhouse *c, const struct clickhouse_question *q,
		      struct clickhouse_work *ret, struct diag *diag);

/**
 * clickhouse_select_sql() - ask a question whose statement was built with sql.h
 * @c: the server
 * @columns: see struct clickhouse_question
 * @rest: the rest of the statement; sql_end() is called here
 * @how: the other fields of the question; its @columns and @rest are not used
 * @diag: names the server; may be NULL
 *
 * Return: as clickhouse_select(); -ENOMEM if @rest could not be built.
 */
int clickhouse_select_sql(struct clickhouse *c, const char *columns, struct sql *rest,
			  const struct clickhouse_question *how, struct diag *diag);

/**
 * clickhouse_insert() - insert rows into a table
 * @c: the server
 * @table: table and columns, "t (a, b)", a constant
 * @rows: the rows in RowBinary, @len bytes
 * @len: number of bytes of @rows; all of them are one insert
 * @diag: names the server; may be NULL
 *
 * Return: as clickhouse_select(). After a failure the rows may have been inserted, unless the
 * server refused them.
 */
int clickhouse_insert(struct clickhouse *c, const char *table, const void *rows, size_t len,
		      struct diag *diag);

/**
 * clickhouse_execute() - run a statement that creates something, such as a table
 * @c: the server
 * @statement: a statement without an answer. It names its database, because the one of the
 *             server's URL may not exist yet
 * @diag: names the server; may be NULL
 *
 * Return: as clickhouse_insert().
 */
int clickhouse_execute(struct clickhouse *c, const char *statement, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_CLIENT_H */
