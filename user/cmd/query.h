/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the parts of ustack query: query.c parses options and prints profiles,
 * query_lists.c prints lists, query_where.c asks the store or the database.
 */
#ifndef USTACK_USER_CMD_QUERY_H
#define USTACK_USER_CMD_QUERY_H

#include "serve/clickhouse/query.h"
#include "cmd/database.h"
#include "cmd/progress.h"
#include "serve/store/query.h"
#include "util/options.h"

/* Limit for the labels of --keep, and for the functions of --symbol. */
#define QUERY_MAX_WORDS 64u

/**
 * struct query_opts - what ustack query was asked for
 * @dir: folder of the store; for a database, its address without the password
 * @where: the words of --from: a time, a database, or one of each
 * @q: the query for the store
 * @database: database of a fleet; its @client is set if one is asked
 * @now_ns: time when the command began, in ns since 1970
 * @step_ns: step of @series, in ns
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

/* Reports on stderr which windows an answer is made of, and @diag if a part could not be read. */
void query_say_coverage(const struct query_opts *o, const struct store_coverage *c,
			const struct diag *diag);

/**
 * query_open() - connect to the database, if one is asked
 * @o: @dir is the store; the caller must call query_close(), even on failure
 * @diag: set on failure
 *
 * Return: 0, also for a store on this machine, which needs no connection; else the error of
 * clickhouse_place_parse().
 */
int query_open(struct query_opts *o, struct diag *diag);
void query_close(struct query_opts *o);

/*
 * Sets the labels that samples keep: those of --keep; else, for a database, those that the
 * output format can use. Sets the functions of --symbol, too. Return: false for too many of
 * either.
 */
bool query_words(struct query_opts *o);

/* Like store_sum() and so on; they ask the store or the database, whichever @o names. */
int query_ask_sum(const struct query_opts *o, struct profile *into, struct store_coverage *c,
		  struct diag *diag);
int query_ask_series(const struct query_opts *o, const char *value_type,
		     int (*point)(const struct store_point *point, void *arg), void *arg,
		     struct store_coverage *c, struct diag *diag);
int query_ask_values(const struct query_opts *o,
		     int (*take)(const char *text, uint64_t samples, void *arg), void *arg,
		     struct store_coverage *c, struct diag *diag);
/* The next two work only for a database. */
int query_ask_types(const struct query_opts *o, struct profile *into, struct diag *diag);
int query_ask_windows(const struct query_opts *o, const char *value_type,
		      int (*take)(const struct clickhouse_window *w, void *arg), void *arg,
		      struct store_coverage *c, struct diag *diag);

/* Each prints a list. Return: 0, or a negative errno with @diag set. */
int query_series(const struct query_opts *o, struct diag *diag);
int query_values(const struct query_opts *o, struct diag *diag);
int query_windows(const struct query_opts *o, struct diag *diag);

#endif /* USTACK_USER_CMD_QUERY_H */
