/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The questions of serve/store/query.h, asked of a fleet's ClickHouse
 * (Documentation/clickhouse.md): the same windows, selectors and answers, for many hosts at once.
 *
 * A selector may name labels of samples, the columns host, service, release and stack (a label),
 * and labels of the machine. A sample's own label counts before the machine's of the same name.
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
 * struct clickhouse_query - a question
 * @q: the question as a store gets it. Its @keep is NULL to keep all labels of samples; the fewer
 *     labels, the less work. Its @stop and @window are not used, see struct clickhouse_options
 * @functions: selects samples whose stacks have one of these functions, by names in the database;
 *             ends with NULL; NULL selects all. Only clickhouse_sum() uses it
 * @rounded: use the sums by hour and minute that the server keeps. That is quick, but times are
 *           rounded outwards to whole hours, windows count where they begin, and the only labels
 *           are service, release and stack. The @keep of @q may have no label but stack
 */
struct clickhouse_query {
	struct store_query q;
	const char *const *functions;
	bool rounded;
};

/**
 * clickhouse_types() - find the types of values that windows have
 * @c: the server
 * @query: the question
 * @type: a type, such as "cpu": the answer has the types of the earliest windows that have this
 *        one. If no window has it, or if it is NULL, those of the earliest windows
 * @into: gets the types, and what a profile has before its samples, such as times and comments
 * @ret: gets what the answer is made of; may be NULL
 * @diag: names the server
 *
 * Return: 0, also if there is no window; as clickhouse_select(); -E2BIG if a column has too many
 * texts for a regular expression, or as store_selector_error(); -EINVAL if @query->rounded is not
 * possible.
 */
int clickhouse_types(struct clickhouse *c, const struct clickhouse_query *query,
		     const char *type, struct profile *into, struct store_coverage *ret,
		     struct diag *diag);

/*
 * Add up samples, as store_sum(). Stacks that samples have but the table of stacks lacks are
 * counted in @bad of @ret.
 */
int clickhouse_sum(struct clickhouse *c, const struct clickhouse_query *query,
		   struct profile *into, struct store_coverage *ret, struct diag *diag);

/* Get values over time, as store_series(). */
int clickhouse_series(struct clickhouse *c, const struct clickhouse_query *query,
		      const char *label, const char *value_type, uint64_t step_ns,
		      int (*point)(const struct store_point *point, void *arg), void *arg,
		      struct store_coverage *ret, struct diag *diag);

/* Get the texts of a label, as store_values(). If @label is NULL: the names of samples' labels. */
int clickhouse_values(struct clickhouse *c, const struct clickhouse_query *query,
		      const char *label, int (*take)(const char *text, uint64_t samples, void *arg),
		      void *arg, struct store_coverage *ret, struct diag *diag);

/**
 * struct clickhouse_window - a window in a list; valid during the call
 * @host: name of the host
 * @time_ns: start of the window, since 1970
 * @duration_ns: length of the window
 * @stacks: number of its samples that are selected
 * @has_sum: the window has values of the type that is asked for
 * @sum: sum of these values of the selected samples
 * @segment: segment of the window in the host's store
 * @record: record of the window in @segment
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
 * clickhouse_windows() - list windows
 * @c: the server
 * @query: the question
 * @value_type: type of the values to add up; NULL for no sums
 * @take: called for each window, by time, then by host; returns 0, or a negative errno, which ends
 *        the list
 * @arg: argument of @take
 * @ret: gets what the answer is made of; may be NULL
 * @diag: names the server
 *
 * Return: as clickhouse_types().
 */
int clickhouse_windows(struct clickhouse *c, const struct clickhouse_query *query,
		       const char *value_type,
		       int (*take)(const struct clickhouse_window *w, void *arg), void *arg,
		       struct store_coverage *ret, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_QUERY_H */
