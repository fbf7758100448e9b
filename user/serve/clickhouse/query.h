/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions of serve/store/query.h to a fleet's ClickHouse (Documentation/clickhouse.md): the same
 * windows, the same selectors, the same answers, of many hosts at once.
 *
 * Beside the labels of samples there are the columns host, service, release and (label) stack,
 * and the labels of a sample's machine, which stand behind the sample's own.
 */
#ifndef USTACK_USER_CLICKHOUSE_QUERY_H
#define USTACK_USER_CLICKHOUSE_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/clickhouse/client.h"
#include "profile/profile.h"
#include "serve/store/query.h"
#include "util/diag.h"

/**
 * struct clickhouse_query - what is asked
 * @q: as a store is asked. @keep: NULL keeps all labels of the samples; the fewer, the less is
 *     to be done. @stop is the client's
 * @functions: samples whose stacks have one of these, by names that the database has; ends with
 *             NULL; NULL is all. Sums alone know it
 * @rounded: of the sums by hour and minute that the server keeps: quick, but times are
 *           rounded outwards to whole ones, windows count where they begin, and nothing but
 *           service, release and stack is known. @q's @keep must keep none but the last of these
 */
struct clickhouse_query {
	struct store_query q;
	const char *const *functions;
	bool rounded;
};

/**
 * clickhouse_types() - which values windows have
 * @c: the server
 * @query: what
 * @type: gets those of the first windows that have this one, such as "cpu"; if none has it, or
 *        for NULL, of the first
 * @into: gets them, and nothing else but what stands in front of samples
 * @ret: may be NULL
 * @diag: names the place
 *
 * Return: 0, also without any window; as clickhouse_select(); -E2BIG for more values of a column
 * than can be asked for, or as store_selector_error(); -EINVAL if @query->rounded cannot be.
 */
int clickhouse_types(struct clickhouse *c, const struct clickhouse_query *query,
		     const char *type, struct profile *into, struct store_coverage *ret,
		     struct diag *diag);

/* As store_sum(). What the database has samples of and no stack is counted in @ret's @bad. */
int clickhouse_sum(struct clickhouse *c, const struct clickhouse_query *query,
		   struct profile *into, struct store_coverage *ret, struct diag *diag);

/* As store_series(). */
int clickhouse_series(struct clickhouse *c, const struct clickhouse_query *query,
		      const char *label, const char *value_type, uint64_t step_ns,
		      int (*point)(const struct store_point *point, void *arg), void *arg,
		      struct store_coverage *ret, struct diag *diag);

/* As store_values(); of @label NULL those of samples alone. */
int clickhouse_values(struct clickhouse *c, const struct clickhouse_query *query,
		      const char *label, int (*take)(const char *text, uint64_t samples, void *arg),
		      void *arg, struct store_coverage *ret, struct diag *diag);

/**
 * struct clickhouse_window - one of a list
 * @host: valid during the call, as all of it
 * @stacks: samples that are selected
 * @has_sum: it has the values that are asked for
 * @sum: of the selected
 * @segment: its place in the host's store
 * @record: the same
 */
struct clickhouse_window {
	const char *host;
	uint64_t time_ns;
	uint64_t duration_ns;
	uint64_t stacks;
	bool has_sum;
	int64_t sum;
	uint64_t segment;
	uint64_t record;
};

/**
 * clickhouse_windows() - which windows there are
 * @c: the server
 * @query: what
 * @value_type: of sums; NULL is none
 * @take: gets each, in order of time, then of host; returns 0 or a negative errno, which ends it
 * @arg: for @take
 * @ret: may be NULL
 * @diag: names the place
 *
 * Return: as clickhouse_types().
 */
int clickhouse_windows(struct clickhouse *c, const struct clickhouse_query *query,
		       const char *value_type,
		       int (*take)(const struct clickhouse_window *w, void *arg), void *arg,
		       struct store_coverage *ret, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_QUERY_H */
