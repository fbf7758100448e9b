/* SPDX-License-Identifier: GPL-2.0-only */
/* Series for answers of the API: the largest groups, and all others as one. */
#ifndef USTACK_USER_DAEMON_SERIES_H
#define USTACK_USER_DAEMON_SERIES_H

#include "serve/daemon/api_query.h"

#define SERIES_MAX_STEPS 5000u
#define SERIES_MAX_TOP 100u

/* A group: its name, its sum, and its sum in each step. */
struct series_group {
	char *name;
	int64_t total;
	int64_t *values;
};

/**
 * struct series - a series of values by group and step
 * @first_ns: beginning of the first step, nanoseconds since 1970
 * @step_ns: length of a step
 * @nr_steps: number of steps
 * @top: largest number of entries in @groups
 * @groups: groups that are shown on their own, the largest first
 * @nr: number of entries in @groups
 * @rest: all other groups as one
 * @nr_rest: number of groups in @rest
 * @recorded_ns: for each step the time of the windows whose middle is in it; divide values by it
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
 * series_read() - read a series from the store
 * @s: the series; on success released by series_release()
 * @q: the query; its request may have the parameter "step"
 * @label: key of the label to group by; NULL for one series of all samples
 * @top: number of groups that are shown on their own, at most SERIES_MAX_TOP
 * @c: gets the coverage of the answer
 * @r: gets the error
 *
 * Return: whether there is an answer.
 */
bool series_read(struct series *s, struct api_query *q, const char *label, uint64_t top,
		 struct store_coverage *c, struct reply *r);
void series_release(struct series *s);

/* Writes "first_ms", "step_ms", "steps" and "recorded_ms". */
void series_put_steps(struct json *j, const struct series *s);
/* Writes "total" and "values" of a group to an open object. */
void series_put_values(struct json *j, const struct series *s, const struct series_group *g);

#endif /* USTACK_USER_DAEMON_SERIES_H */
