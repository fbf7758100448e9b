/* SPDX-License-Identifier: GPL-2.0-only */
/* The flat view by keys of the user's choice, as perf's --sort has them. */
#ifndef USTACK_USER_REPORT_SORT_H
#define USTACK_USER_REPORT_SORT_H

#include "profile/profile.h"
#include "util/diag.h"

#define REPORT_MAX_KEYS 8u

/* Keys: those of a sample's labels, then those of its frames. */
enum report_key {
	REPORT_COMM,
	REPORT_PID,
	REPORT_TID,
	REPORT_THREAD,
	REPORT_CGROUP,
	REPORT_EVENT,
	REPORT_DSO,
	REPORT_SYMBOL,
	REPORT_SRCFILE,
	REPORT_SRCLINE,
};

/**
 * struct report_keys - what rows are told apart by
 * @key: enum report_key, none twice
 * @nr: of them, at least 1
 */
struct report_keys {
	uint8_t key[REPORT_MAX_KEYS];
	unsigned int nr;
};

/**
 * report_keys_parse() - "comm,dso,symbol"
 * @words: with commas between them; "sym" is "symbol"
 * @ret: on 0
 * @diag: may be NULL; lists those that there are
 *
 * Return: 0 or -EINVAL.
 */
int report_keys_parse(const char *words, struct report_keys *ret, struct diag *diag);

/* The word of a key. */
const char *report_key_name(uint8_t key);
/* Names of the keys, for option tables. Return: the @i'th; NULL after the last. */
const char *report_key_word(unsigned int i);

/**
 * struct report_row - one row
 * @text: of each key, "" where it is not known
 * @self: of samples whose innermost frame it is
 * @total: of samples that have it anywhere, each once
 */
struct report_row {
	const char *text[REPORT_MAX_KEYS];
	int64_t self;
	int64_t total;
};

/**
 * struct report_rows - to be read by anyone
 * @row: the largest self (total) first, then in order of texts
 * @nr: of them
 * @all: sum of the samples
 */
struct report_rows {
	struct report_row *row;
	uint32_t nr;
	int64_t all;

	struct report_sort *index;	/* private */
};

/**
 * struct report_sort_options - what is counted
 * @value: index of the value type; samples with 0 of it are left out
 * @by_total: order
 * @no_inlines: inlined functions are part of what they were inlined into
 * @keep: whether a sample is counted; NULL for all
 * @arg: for @keep
 */
struct report_sort_options {
	uint32_t value;
	bool by_total;
	bool no_inlines;
	bool (*keep)(const struct profile *p, const struct profile_sample *s, void *arg);
	void *arg;
};

/**
 * report_rows_new() - count
 * @p: not needed any more when it is done
 * @keys: what rows are told apart by
 * @options: see there
 * @ret: released by report_rows_free(); on 0
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int report_rows_new(const struct profile *p, const struct report_keys *keys,
		    const struct report_sort_options *options, struct report_rows **ret);
void report_rows_free(struct report_rows *r);

#endif /* USTACK_USER_REPORT_SORT_H */
