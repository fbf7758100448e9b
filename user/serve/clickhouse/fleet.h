/* SPDX-License-Identifier: GPL-2.0-only */
/* A question on its way to a fleet's database: for user/serve/clickhouse alone. */
#ifndef USTACK_USER_CLICKHOUSE_FLEET_H
#define USTACK_USER_CLICKHOUSE_FLEET_H

#include "serve/clickhouse/query.h"
#include "serve/clickhouse/sql.h"

/* Texts of a column that a regular expression may hold for: a server's statement has a limit
 * of its words, max_ast_elements, 50000 by default.
 */
#define FLEET_MAX_TEXTS 20000u
/* Kinds of windows. */
#define FLEET_MAX_KINDS 1000u

/**
 * struct fleet_kind - windows that have the same values and the same else in front of samples
 * @head: a profile without samples
 * @is: condition that a row of windows has such values, as SQL
 * @alike: number of the first kind that has the same values
 */
struct fleet_kind {
	struct profile *head;
	char *is;
	uint32_t alike;
};

/**
 * struct fleet - a question
 * @c: to whom
 * @q: what
 * @diag: NULL or the caller's
 * @columns: conditions of columns of samples, each with " AND " in front
 * @hosts: those of them that windows have, too
 * @kinds: of windows, the one that began first in front
 * @several: not all of them are alike
 * @longest_ns: of the windows
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

/* Asks which windows there are. Return: 0 or a negative errno; to be released in either case,
 * by fleet_finish().
 */
int fleet_begin(struct fleet *f, struct clickhouse *c, const struct clickhouse_query *q,
		struct diag *diag);
/* Return: @err, or what the selector had to give up. */
int fleet_finish(struct fleet *f, int err, struct store_coverage *ret);

/* Conditions, behind "FROM samples WHERE " and "FROM windows FINAL WHERE ". @kind: that alone;
 * NULL is any.
 */
void fleet_put_samples(struct sql *s, const struct fleet *f, const struct fleet_kind *kind);
void fleet_put_windows(struct sql *s, const struct fleet *f);
/* Conditions of sums by @time, "hour" or "minute", if they are asked for. */
void fleet_put_rounded(struct sql *s, const struct fleet *f, const char *time);
/* The same of tables of what is kept once; begins with " AND ". */
void fleet_put_weeks(struct sql *s, const struct fleet *f);

/* As clickhouse_select_sql(). */
int fleet_select(const struct fleet *f, const char *columns, struct sql *rest,
		 const struct clickhouse_question *how);

/* What stands in front of samples, as profile_merge() adds it up. */
void fleet_heads(const struct fleet *f, struct profile *into);
/* The number of a kind's value of a type; negative if there is none. */
int fleet_find_value(const struct fleet_kind *kind, const char *type);

/* A text of an answer as a string of @p, as profile_string_bytes(). */
uint32_t fleet_string(struct profile *p, const struct clickhouse_cell *c);

/* Says that sums by hour and minute do not have that. Return: -EINVAL. */
int fleet_not_rounded(const struct fleet *f);
/* Says that there is no memory. Return: -ENOMEM. */
int fleet_no_memory(const struct fleet *f);
/* Says why types of values could not be added to @p. Return: 0 if they could; -E2BIG; -ENOMEM. */
int fleet_types_error(const struct fleet *f, const struct profile *p);

/* Return: the column that a label is, or NULL. */
const char *fleet_column(const char *label);

/**
 * fleet_columns() - conditions of columns, as SQL, into @f->columns and @f->hosts
 * @f: the question
 *
 * What a regular expression holds for is found out here, of all texts that the column has:
 * a server has other expressions.
 *
 * Return: 0 or a negative errno.
 */
int fleet_columns(struct fleet *f);

/* Room for fleet_value(). */
#define FLEET_VALUE 24
/* The column of samples that value @nr of a kind is: "count", "cpu" or "more[2]". Return: @buf. */
const char *fleet_value(const struct fleet_kind *kind, uint32_t nr, char buf[FLEET_VALUE]);

#endif /* USTACK_USER_CLICKHOUSE_FLEET_H */
