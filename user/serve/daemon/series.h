/* SPDX-License-Identifier: GPL-2.0-only */
/* Series as the API has them: the largest groups, and the rest as one. */
#ifndef USTACK_USER_DAEMON_SERIES_H
#define USTACK_USER_DAEMON_SERIES_H

#include "serve/daemon/api_query.h"

#define SERIES_MAX_STEPS 5000u
#define SERIES_MAX_TOP 100u

struct series_group {
	char *name;
	int64_t total;
	int64_t *values;
};

/**
 * struct series - in the making
 * @first_ns: beginning of the first step
 * @step_ns: length of one
 * @nr_steps: of them
 * @top: groups that are kept apart
 * @groups: @nr of them, the largest first
 * @rest: of all others, which are @nr_rest
 * @recorded_ns: of each step, the time that is in windows whose middle is in the step: what its
 *               values are divided by
 */
struct series {
	uint64_t first_ns;
	uint64_t step_ns;
	uint32_t nr_steps;
	uint32_t top;
	struct series_group groups[SERIES_MAX_TOP];
	uint32_t nr;
	struct series_group rest;
	uint32_t nr_rest;
	uint64_t *recorded_ns;
};

/**
 * series_read() - ask the store
 * @s: released by series_release(), on success
 * @q: the query; "step" is of its request
 * @label: to group by
 * @top: groups that are kept apart, SERIES_MAX_TOP at most
 * @c: gets what the answer is made of
 * @r: gets the error
 *
 * Return: whether there is an answer.
 */
bool series_read(struct series *s, struct api_query *q, const char *label, uint64_t top,
		 struct store_coverage *c, struct reply *r);
void series_release(struct series *s);

/* A sum of values, the largest number if it does not fit. */
int64_t series_add(int64_t a, int64_t b);

/* "first_ms", "step_ms", "steps", "recorded_ms". */
void series_put_steps(struct json *j, const struct series *s);
/* "total" and "values" of a group, in an object that is open. */
void series_put_values(struct json *j, const struct series *s, const struct series_group *g);

#endif /* USTACK_USER_DAEMON_SERIES_H */
