/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of ustack query share: query.c asks, query_lists.c prints tables. */
#ifndef USTACK_USER_CMD_QUERY_H
#define USTACK_USER_CMD_QUERY_H

#include "cmd/progress.h"
#include "store/query.h"
#include "util/options.h"

/**
 * struct query_opts - a question
 * @q: to the store
 * @now_ns: when it was asked
 * @step_ns: of @series
 */
struct query_opts {
	const char *dir;
	const char *from;
	const char *to;
	const char *command;
	const char *thread;
	const char *unit;
	const char *container;
	const char *outcome;
	const char *pid;
	const char *as;
	const char *output;
	const char *value;
	const char *series;
	const char *step;
	const char *values;
	bool labels;
	bool windows;
	bool json;
	bool no_names;
	bool quiet;
	struct store_query q;
	uint64_t now_ns;
	uint64_t step_ns;
	struct progress progress;
};

/* Says on stderr what an answer is made of, and @diag if a part could not be read. */
void query_say_coverage(const struct query_opts *o, const struct store_coverage *c,
			const struct diag *diag);

/* Each prints a list. Return: 0 or a negative errno, said to @diag. */
int query_series(const struct query_opts *o, struct diag *diag);
int query_values(const struct query_opts *o, struct diag *diag);
int query_windows(const struct query_opts *o, struct diag *diag);

#endif /* USTACK_USER_CMD_QUERY_H */
