/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of ustack query share: query.c asks, query_lists.c prints tables. */
#ifndef USTACK_USER_CMD_QUERY_H
#define USTACK_USER_CMD_QUERY_H

#include "serve/clickhouse/query.h"
#include "cmd/database.h"
#include "cmd/progress.h"
#include "serve/store/query.h"
#include "util/options.h"

/* Labels of --keep, functions of --symbol. */
#define QUERY_MAX_WORDS 64u

/**
 * struct query_opts - a question
 * @dir: the store; of a database's place what may be shown of it
 * @where: --from: a time, a place, or one of each
 * @q: to the store
 * @database: its client is there if the store is a fleet's
 * @now_ns: when it was asked
 * @step_ns: of @series
 */
struct query_opts {
	const char *dir;
	struct option_pair where;
	const char *from;
	const char *to;
	const char *command;
	const char *thread;
	const char *unit;
	const char *container;
	const char *outcome;
	const char *pid;
	const char *format;
	const char *output;
	const char *value;
	const char *series;
	const char *step;
	const char *values;
	const char *keep;
	const char *symbol;
	bool rounded;
	bool labels;
	bool windows;
	bool json;
	bool no_names;
	bool quiet;
	struct store_query q;
	uint64_t now_ns;
	uint64_t step_ns;
	struct progress progress;

	struct database database;
	char *keep_words;
	const char *kept[QUERY_MAX_WORDS + 1];
	char *symbol_words;
	const char *symbols[QUERY_MAX_WORDS + 1];
};

/* Says on stderr what an answer is made of, and @diag if a part could not be read. */
void query_say_coverage(const struct query_opts *o, const struct store_coverage *c,
			const struct diag *diag);

/**
 * query_open() - where it goes
 * @o: @dir is the store; to be released by query_close() in any case
 * @diag: what is wrong
 *
 * Return: 0, also of a store that is no database: nothing is done then; as
 * clickhouse_place_parse().
 */
int query_open(struct query_opts *o, struct diag *diag);
void query_close(struct query_opts *o);

/* Labels that stay on samples: those of --keep; of a database those that the answer's form has
 * a use for. And functions of --symbol. Return: false for too many of either.
 */
bool query_words(struct query_opts *o);

/* As store_sum() and so on, of wherever it is. */
int query_ask_sum(const struct query_opts *o, struct profile *into, struct store_coverage *c,
		  struct diag *diag);
int query_ask_series(const struct query_opts *o, const char *value_type,
		     int (*point)(const struct store_point *point, void *arg), void *arg,
		     struct store_coverage *c, struct diag *diag);
int query_ask_values(const struct query_opts *o,
		     int (*take)(const char *text, uint64_t samples, void *arg), void *arg,
		     struct store_coverage *c, struct diag *diag);
/* Of a database. */
int query_ask_types(const struct query_opts *o, struct profile *into, struct diag *diag);
int query_ask_windows(const struct query_opts *o, const char *value_type,
		      int (*take)(const struct clickhouse_window *w, void *arg), void *arg,
		      struct store_coverage *c, struct diag *diag);

/* Each prints a list. Return: 0 or a negative errno, said to @diag. */
int query_series(const struct query_opts *o, struct diag *diag);
int query_values(const struct query_opts *o, struct diag *diag);
int query_windows(const struct query_opts *o, struct diag *diag);

#endif /* USTACK_USER_CMD_QUERY_H */
