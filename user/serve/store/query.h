/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions to a store: which samples, of which time; added up to one profile, or by group
 * and time.
 *
 * Labels are those of the samples (profile.h), numbers as decimal text. A label that a
 * sample does not have is the empty text, as Prometheus has it.
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
 * store_selector_new() - from text, in Prometheus' way
 * @text: `unit="nginx.service", command=~"worker.*"`, with or without {} around it; NULL or
 *        "" selects everything
 * @ret: released by store_selector_free()
 * @diag: offset and reason; may be NULL
 *
 * Regular expressions are PCRE2's, with limits of time and memory: of whom they come from
 * nothing is known.
 *
 * Return: 0; -EINVAL; -ENOMEM.
 */
int store_selector_new(const char *text, struct store_selector **ret,
		       struct diag *diag);
/* Adds the conditions of another text, or one by its parts. Return: 0, -EINVAL, -ENOMEM;
 * on failure some of them may have been added.
 */
int store_selector_add_text(struct store_selector *s, const char *text, struct diag *diag);
int store_selector_add(struct store_selector *s, const char *key, enum store_match how,
		       const char *value, struct diag *diag);
void store_selector_free(struct store_selector *s);
/* Whether a set of labels of a profile is selected; NULL selects everything. */
bool store_selector_matches(struct store_selector *s, const struct profile *p,
			    uint32_t labels);
/* Return: 0; -E2BIG if a regular expression took too long for a text, and some answer of
 * store_selector_matches() is worth nothing; -ENOMEM. It sticks.
 */
int store_selector_error(const struct store_selector *s);

/* One condition; texts are the selector's. */
struct store_condition {
	const char *key;
	enum store_match how;
	const char *value;
};

/* The condition with a number, from 0 on. Return: false behind the last one, or without @s. */
bool store_selector_condition(const struct store_selector *s, uint32_t nr,
			      struct store_condition *ret);
/* Whether that one holds for the text of its label, "" without one; as by _matches(). */
bool store_selector_holds(struct store_selector *s, uint32_t nr, const char *text);

/**
 * struct store_query - what is asked
 * @from_ns: since 1970
 * @to_ns: behind it; 0 is no end. A window that is in the range in part counts whole if its
 *         middle is in it, so that neighbouring ranges add up
 * @selector: NULL is all
 * @keep: labels that stay in the sum, ends with NULL; NULL keeps all
 * @stop: looked at from time to time: -EINTR when it gives true; may be NULL
 * @arg: for @stop
 * @window: gets each window that the answer is made of, in the order in which they were recorded:
 *          its middle, and how much of its time no window before it has had; may be NULL
 * @window_arg: for @window
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
 * struct store_coverage - what an answer is made of
 * @windows: number
 * @first_ns: beginning of the first in time; 0 if there is none
 * @last_ns: end of the last
 * @recorded_ns: time that the windows cover; what two of them cover counts once. A mean over
 *               time is a sum divided by it: nobody knows what was done beside it. Of a fleet
 *               its hosts' together, and each window counts
 * @bad: segments, or ends of such, that could not be read; the last reason is in the diag
 */
struct store_coverage {
	uint64_t windows;
	uint64_t first_ns;
	uint64_t last_ns;
	uint64_t recorded_ns;
	uint64_t bad;
};

/**
 * store_cover() - count one window more
 * @c: all zero at first; windows come in the order in which they were recorded
 * @start: of the window
 * @end: of it
 */
void store_cover(struct store_coverage *c, uint64_t start, uint64_t end);

/**
 * store_sum() - one profile of all that is selected
 * @dir: of the store
 * @query: what
 * @into: gets it as by profile_merge(); comments once each
 * @ret: may be NULL
 * @diag: may be NULL
 *
 * What cannot be read of single segments is left out, counted in @ret's @bad, and said to
 * @diag although this returns 0.
 *
 * Return: 0, if nothing was selected, too; -EINTR; -ENOMEM; -E2BIG as
 * store_selector_error(), or for more than PROFILE_MAX_VALUES types of values; a negative
 * errno of reading @dir.
 */
int store_sum(const char *dir, const struct store_query *query, struct profile *into,
	      struct store_coverage *ret, struct diag *diag);

/**
 * struct store_point - a value of a series
 * @group: text of the label that is asked for; valid during the call
 * @at_ns: beginning of the step, a multiple of its length since 1970
 * @value: sum
 */
struct store_point {
	const char *group;
	uint64_t at_ns;
	int64_t value;
};

/**
 * store_series() - values over time
 * @dir: of the store
 * @query: what; @keep is not used
 * @label: to group by; NULL for one series of all
 * @value_type: name, such as "cpu"; samples of windows that have no such are left out
 * @step_ns: not 0; a window counts in the step that its middle is in
 * @point: gets every value that is not 0, the group with the largest sum first, and of a
 *         group by time; returns 0 or a negative errno, which ends it
 * @arg: for @point
 * @ret: may be NULL
 * @diag: may be NULL
 *
 * Return: as store_sum().
 */
int store_series(const char *dir, const struct store_query *query, const char *label,
		 const char *value_type, uint64_t step_ns,
		 int (*point)(const struct store_point *point, void *arg), void *arg,
		 struct store_coverage *ret, struct diag *diag);

/**
 * store_values() - which texts a label has, or which labels there are
 * @dir: of the store
 * @query: what; @keep is not used
 * @label: NULL for the names of the labels themselves
 * @take: gets each once, in ascending order, and in how many samples (counts, not
 *        windows) it is; returns as @point
 * @arg: for @take
 * @ret: may be NULL
 * @diag: may be NULL
 *
 * Return: as store_sum().
 */
int store_values(const char *dir, const struct store_query *query, const char *label,
		 int (*take)(const char *text, uint64_t samples, void *arg), void *arg,
		 struct store_coverage *ret, struct diag *diag);

#endif /* USTACK_USER_STORE_QUERY_H */
