/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Queries to a store. A query selects samples by labels and time; the answer is one profile, or
 * sums by group and time.
 *
 * Labels are those of the samples (profile.h); numbers count as decimal text. A label that a
 * sample does not have counts as the empty text, as in Prometheus.
 */
#ifndef USTACK_USER_STORE_QUERY_H
#define USTACK_USER_STORE_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"
#include "util/diag.h"

enum store_match {
	STORE_EQUAL,		/* key="value" */
	STORE_NOT_EQUAL,	/* key!="value" */
	STORE_MATCH,		/* key=~"regex" of the whole text */
	STORE_NOT_MATCH,	/* key!~"regex" */
};

struct store_selector;

/**
 * store_selector_new() - parse a selector in Prometheus' syntax
 * @text: `unit="nginx.service", command=~"worker.*"`, with or without {} around it; NULL or
 *        "" selects everything
 * @ret: the selector, released by store_selector_free()
 * @diag: gets offset and reason; may be NULL
 *
 * Regular expressions are PCRE2's, with limits of time and memory, because anybody may send one.
 *
 * Return: 0; -EINVAL; -ENOMEM.
 */
int store_selector_new(const char *text, struct store_selector **ret,
		       struct diag *diag);
/* Adds the conditions of another text, or one condition by its parts. Return: 0, -EINVAL or
 * -ENOMEM; on failure some conditions of the text may have been added.
 */
int store_selector_add_text(struct store_selector *s, const char *text, struct diag *diag);
int store_selector_add(struct store_selector *s, const char *key, enum store_match how,
		       const char *value, struct diag *diag);
void store_selector_free(struct store_selector *s);
/* Whether the selector matches a label set of a profile; NULL matches everything. */
bool store_selector_matches(struct store_selector *s, const struct profile *p,
			    uint32_t labels);
/* Return: 0; -E2BIG if a regular expression took too long for some text, so that an answer of
 * store_selector_matches() was wrong; -ENOMEM. An error stays for good.
 */
int store_selector_error(const struct store_selector *s);

/* One condition of a selector, which owns the texts. */
struct store_condition {
	const char *key;
	enum store_match how;
	const char *value;
};

/* Gets condition @nr, counted from 0. Return: false after the last one, or if @s is NULL. */
bool store_selector_condition(const struct store_selector *s, uint32_t nr,
			      struct store_condition *ret);
/* Whether condition @nr holds for the text of its label, which is "" if the label is missing. */
bool store_selector_holds(struct store_selector *s, uint32_t nr, const char *text);

/**
 * struct store_query - a query
 * @from_ns: beginning of the time range, nanoseconds since 1970
 * @to_ns: end of the time range, exclusive; 0 means no end. A window belongs to the range as a
 *         whole if its middle does, so that neighbouring ranges add up
 * @selector: selects samples; NULL selects all
 * @keep: keys of labels that stay in the sum, ends with NULL; NULL keeps all
 * @stop: called from time to time; when it returns true, the query ends with -EINTR; may be NULL
 * @arg: argument of @stop
 * @window: called for each window of the answer, in the order in which they were recorded, with
 *          its middle and the part of its time that no earlier window covers; may be NULL
 * @window_arg: argument of @window
 */
struct store_query {
	uint64_t from_ns;
	uint64_t to_ns;
	struct store_selector *selector;
	const char *const *keep;
	bool (*stop)(void *arg);
	void *arg;
	void (*window)(uint64_t middle_ns, uint64_t recorded_ns, void *arg);
	void *window_arg;
};

/**
 * struct store_coverage - the data that an answer is based on
 * @windows: number of windows
 * @first_ns: beginning of the earliest window, nanoseconds since 1970; 0 if there is none
 * @last_ns: end of the latest window
 * @recorded_ns: time that the windows cover; time that two of them cover counts once. Divide a
 *               sum by it to get a mean, because nothing is known about the time outside of
 *               it. For a fleet it is the sum over all hosts, and each window counts in full
 * @bad: number of segments that could not be read to their end; the last reason is in the diag
 */
struct store_coverage {
	uint64_t windows;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t recorded_ns;
	uint64_t bad;
};

/**
 * store_cover() - count one more window
 * @c: all zero before the first window; windows come in the order in which they were recorded
 * @start: beginning of the window, nanoseconds since 1970
 * @end: end of the window, exclusive
 */
void store_cover(struct store_coverage *c, uint64_t start, uint64_t end);

/**
 * store_sum() - add up all selected samples to one profile
 * @dir: path of the store
 * @query: the query
 * @into: the samples are added to it as by profile_merge(), each comment once
 * @ret: gets the coverage; may be NULL
 * @diag: may be NULL
 *
 * A segment that cannot be read is left out from the first error on, and counted in @ret's @bad.
 * The reason is in @diag, although this returns 0.
 *
 * Return: 0, also if nothing was selected; -EINTR; -ENOMEM; -E2BIG as by store_selector_error(),
 * or for more than PROFILE_MAX_VALUES value types; a negative errno of reading @dir.
 */
int store_sum(const char *dir, const struct store_query *query, struct profile *into,
	      struct store_coverage *ret, struct diag *diag);

/**
 * struct store_point - a value of a series
 * @group: text of the label that the query groups by; valid during the call
 * @at_ns: beginning of the step, nanoseconds since 1970, a multiple of the step's length
 * @value: sum of the samples' values
 */
struct store_point {
	const char *group;
	uint64_t at_ns;
	int64_t value;
};

/**
 * store_series() - sums of values by group and step of time
 * @dir: path of the store
 * @query: the query; its @keep is not used
 * @label: key of the label to group by; NULL for one series of all samples
 * @value_type: name of the value type, such as "cpu"; windows that do not have it are left out
 * @step_ns: length of a step, not 0; a window counts in the step that its middle is in
 * @point: called for every value that is not 0, the group with the largest sum first, each group
 *         in order of time; returns 0, or a negative errno, which ends the call
 * @arg: argument of @point
 * @ret: gets the coverage; may be NULL
 * @diag: may be NULL
 *
 * Return: as store_sum().
 */
int store_series(const char *dir, const struct store_query *query, const char *label,
		 const char *value_type, uint64_t step_ns,
		 int (*point)(const struct store_point *point, void *arg), void *arg,
		 struct store_coverage *ret, struct diag *diag);

/**
 * store_values() - list the texts of a label, or the keys of all labels
 * @dir: path of the store
 * @query: the query; its @keep is not used
 * @label: key of the label; NULL lists the keys of all labels
 * @take: called once for each text, in ascending order, with the number of samples that have
 *        it (counts, not windows); returns 0, or a negative errno, which ends the call
 * @arg: argument of @take
 * @ret: gets the coverage; may be NULL
 * @diag: may be NULL
 *
 * Return: as store_sum().
 */
int store_values(const char *dir, const struct store_query *query, const char *label,
		 int (*take)(const char *text, uint64_t samples, void *arg), void *arg,
		 struct store_coverage *ret, struct diag *diag);

#endif /* USTACK_USER_STORE_QUERY_H */
