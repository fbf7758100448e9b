/* SPDX-License-Identifier: GPL-2.0-only */
/* The flat view by keys of the user's choice, like perf's --sort. */
#ifndef USTACK_USER_REPORT_SORT_H
#define USTACK_USER_REPORT_SORT_H

#include "profile/profile.h"
#include "util/diag.h"

#define REPORT_MAX_KEYS 8u

/* Keys: first those from a sample's labels, then those from its frames. */
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
 * struct report_keys - the columns that identify a row
 * @key: enum report_key, each at most once
 * @nr: number of entries in @key, at least 1
 */
struct report_keys {
	uint8_t key[REPORT_MAX_KEYS];
	unsigned int nr;
};

/**
 * report_keys_parse() - parse "comm,dso,symbol"
 * @words: names with commas between them; "sym" is "symbol"
 * @ret: valid on 0
 * @diag: may be NULL; lists the keys that exist
 *
 * Return: 0 or -EINVAL.
 */
int report_keys_parse(const char *words, struct report_keys *ret, struct diag *diag);

/* Return: the name of a key. */
const char *report_key_name(uint8_t key);
/* Names of the keys, for option tables. Return: the @i'th; NULL after the last. */
const char *report_key_word(unsigned int i);

/**
 * struct report_row - one row
 * @text: text for each key, "" if not known
 * @self: value of samples whose innermost frame it is
 * @total: value of samples that have it anywhere; each counts once
 */
struct report_row {
	const char *text[REPORT_MAX_KEYS];
	int64_t self;
	int64_t total;
};

/**
 * struct report_rows - everybody may read it
 * @row: rows, the largest self (total) first, then sorted by texts
 * @nr: number of entries in @row
 * @all: sum of the samples
 */
struct report_rows {
	struct report_row *row;
	uint32_t nr;
	int64_t all;

	struct report_sort *index;	/* private */
};

/**
 * struct report_sort_options - what to count
 * @value: index of the value type; samples with 0 of it are left out
 * @by_total: sort by total
 * @no_inlines: inlined functions count as part of the function they were
 *	inlined into
 * @keep: returns whether a sample is counted; NULL for all
 * @arg: passed to @keep
 */
struct report_sort_options {
	uint32_t value;
	bool by_total;
	bool no_inlines;
	bool (*keep)(const struct profile *p, const struct profile_sample *s, void *arg);
	void *arg;
};

/**
 * report_rows_new() - make the rows
 * @p: the profile; not used any more when this returns
 * @keys: columns that identify a row
 * @options: what to count
 * @ret: on 0: the rows, released by report_rows_free()
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int report_rows_new(const struct profile *p, const struct report_keys *keys,
		    const struct report_sort_options *options, struct report_rows **ret);
void report_rows_free(struct report_rows *r);

#endif /* USTACK_USER_REPORT_SORT_H */
