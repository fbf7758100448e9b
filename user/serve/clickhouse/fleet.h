/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A question to a fleet's database while it is being answered: the kinds of windows that it
 * selects, and the SQL conditions that all kinds of questions share. Private to
 * user/serve/clickhouse.
 */
#ifndef USTACK_USER_CLICKHOUSE_FLEET_H
#define USTACK_USER_CLICKHOUSE_FLEET_H

#include "serve/clickhouse/query.h"
#include "serve/clickhouse/sql.h"

/*
 * Most texts of a column that a regular expression may match: they are listed in a statement, and
 * the server limits its elements (max_ast_elements, 50000 by default).
 */
#define FLEET_MAX_TEXTS 20000u
/* Most kinds of windows in a question. */
#define FLEET_MAX_KINDS 1000u

/**
 * struct fleet_kind - windows with the same types of values, period and comments
 * @head: a profile without samples that has these, and the time of all the windows
 * @is: SQL condition that a row of the table windows has these types of values
 * @alike: index of the first kind that has the same types of values
 */
struct fleet_kind {
	struct profile *head;
	char *is;
	uint32_t alike;
};

/**
 * struct fleet - a question that is being answered
 * @c: the server
 * @q: the question
 * @diag: the caller's, or NULL
 * @columns: SQL conditions on columns of the table samples, each begins with " AND "
 * @hosts: the conditions of @columns that also hold for the table windows
 * @kinds: kinds of windows, by the start of their first window
 * @nr_kinds: number of entries in @kinds
 * @kinds_room: number of entries that @kinds has room for
 * @several: the kinds do not all have the same types of values
 * @longest_ns: length of the longest window
 * @coverage: what the answer is made of
 */
struct fleet {
	struct clickhouse *c;
	const struct clickhouse_query *q;
	struct diag *diag;
	char *columns;
	char *hosts;
	struct fleet_kind *kinds;
	uint32_t nr_kinds;
	size_t kinds_room;
	bool several;
	uint64_t longest_ns;
	struct store_coverage coverage;
};

/*
 * Begin a question: make its conditions, and ask which windows there are. Return: 0 or a negative
 * errno; @f is to be released by fleet_finish() in either case.
 */
int fleet_begin(struct fleet *f, struct clickhouse *c, const struct clickhouse_query *q,
		struct diag *diag);
/*
 * End a question with the result @err, and release @f. Return: @err; the selector's failure if
 * there is no other, such as a regular expression that takes too long.
 */
int fleet_finish(struct fleet *f, int err, struct store_coverage *ret);

/*
 * Append the conditions that follow "FROM samples WHERE " and "FROM windows FINAL WHERE ". @kind:
 * select windows of this kind only; NULL selects all
 */
void fleet_put_samples(struct sql *s, const struct fleet *f, const struct fleet_kind *kind);
void fleet_put_windows(struct sql *s, const struct fleet *f);
/* Append the conditions for a table of sums by @time, which is "hour" or "minute". */
void fleet_put_rounded(struct sql *s, const struct fleet *f, const char *time);
/* Append the condition on days for tables that have each thing once a week, with " AND ". */
void fleet_put_weeks(struct sql *s, const struct fleet *f);

/* Ask one statement of the question, as clickhouse_select_sql(). */
int fleet_select(const struct fleet *f, const char *columns, struct sql *rest,
		 const struct clickhouse_question *how);

/* Merge times, periods and comments of all kinds into a profile, as profile_merge() does. */
void fleet_heads(const struct fleet *f, struct profile *into);
/* Return: the index of a kind's value of a type; negative if there is none. */
int fleet_find_value(const struct fleet_kind *kind, const char *type);

/* Add a text of an answer to the strings of @p. Return: its number. */
uint32_t fleet_string(struct profile *p, const struct clickhouse_cell *c);

/* Set the diag: sums by hour and minute lack what is asked for. Return: -EINVAL. */
int fleet_not_rounded(const struct fleet *f);
/* Set the diag: there is no memory. Return: -ENOMEM. */
int fleet_no_memory(const struct fleet *f);
/* Check whether types of values could be added to @p. Return: 0; -E2BIG or -ENOMEM, in the diag. */
int fleet_types_error(const struct fleet *f, const struct profile *p);

/* Return: the column of samples that has a label; NULL if it has none of its own. */
const char *fleet_column(const char *label);

/**
 * fleet_columns() - make the SQL conditions on columns, @f->columns and @f->hosts
 * @f: the question
 *
 * Regular expressions are matched here, against all texts of the column, because the server's
 * expressions are of another kind.
 *
 * Return: 0 or a negative errno.
 */
int fleet_columns(struct fleet *f);

/* Size of the buffer of fleet_value(). */
#define FLEET_VALUE 24
/* Return: @buf, with the column of samples that has value @nr: "count", "cpu" or "more[2]". */
const char *fleet_value(const struct fleet_kind *kind, uint32_t nr, char buf[FLEET_VALUE]);

#endif /* USTACK_USER_CLICKHOUSE_FLEET_H */
