// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lays out the string table. A string that another one ends with needs no bytes
 * of its own. To find these, strings are sorted by their ends: each one then
 * directly follows a string that ends with it, if there is any.
 */
#include "formats/gsym/plan.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/cleanup.h"

#include "util/poison.h"

/*
 * A string while it is sorted. @key: eight bytes of the string, the last one
 * first, padded with zeros; later the number of the string whose end it shares.
 */
struct tail {
	uint64_t key;
	uint32_t string;
};

/* Strings from @first to before @end agree in all bytes that were compared so far. */
struct run {
	uint32_t first;
	uint32_t end;
};

struct runs {
	struct run *at;
	size_t nr;
	size_t room;
};

static uint64_t key_of(const struct gsym_plan_string *s, uint64_t skip)
{
	uint64_t left = s->len - skip, key = 0;
	unsigned int i;

	for (i = 0; i < sizeof(key) && i < left; i++)
		key |= (uint64_t)(uint8_t)s->s[left - 1 - i] << (56 - 8 * i);
	return key;
}

static int by_key_down(const void *x, const void *y)
{
	const struct tail *a = x, *b = y;

	if (a->key == b->key)
		return 0;
	return a->key > b->key ? -1 : 1;
}

/*
 * Sorts a run by the next eight bytes, and returns the runs that are still
 * alike. No two strings are equal, so the process ends.
 */
static bool sort_run(const struct gsym_plan *plan, struct tail *tails, struct run run,
		     uint64_t skip, struct runs *ret)
{
	uint32_t i, first = run.first;

	for (i = run.first; i < run.end; i++)
		tails[i].key = key_of(&plan->strings[tails[i].string], skip);
	qsort(tails + run.first, run.end - run.first, sizeof(*tails), by_key_down);
	for (i = run.first + 1; i <= run.end; i++) {
		if (i < run.end && tails[i].key == tails[first].key)
			continue;
		if (i - first > 1) {
			if (!array_has_room(ret->at, ret->nr, ret->room))
				return false;
			ret->at[ret->nr++] = (struct run){ first, i };
		}
		first = i;
	}
	return true;
}

static int sort_tails(const struct gsym_plan *plan, struct tail *tails, uint32_t nr)
{
	struct runs now = { 0 }, next = { 0 }, swap;
	uint64_t skip;
	size_t i;
	bool good;

	good = sort_run(plan, tails, (struct run){ 0, nr }, 0, &now);
	for (skip = sizeof(tails->key); good && now.nr; skip += sizeof(tails->key)) {
		next.nr = 0;
		for (i = 0; good && i < now.nr; i++)
			good = sort_run(plan, tails, now.at[i], skip, &next);
		swap = now;
		now = next;
		next = swap;
	}
	free(now.at);
	free(next.at);
	return good ? 0 : -ENOMEM;
}

static bool ends_with(const struct gsym_plan_string *s, const struct gsym_plan_string *end)
{
	return s->len >= end->len &&
	       !memcmp(s->s + s->len - end->len, end->s, end->len);
}

/*
 * Sets each key to the number of the string that ends with this one, which may
 * be the string itself.
 */
static void find_owners(struct gsym_plan *plan, struct tail *tails, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		uint32_t string = tails[i].string, owner = string;

		if (i && ends_with(&plan->strings[tails[i - 1].key],
				   &plan->strings[string]))
			owner = (uint32_t)tails[i - 1].key;
		tails[i].key = owner;
		plan->strings[string].shared = owner != string;
	}
}

/* Takes all strings except those that renaming left unused. @ret is freed by the caller. */
static int share(struct gsym_plan *plan, struct tail **ret, uint32_t *nr)
{
	struct tail *tails = calloc(plan->nr_strings, sizeof(*tails));
	uint32_t i;
	int err;

	*ret = tails;
	if (!tails)
		return -ENOMEM;
	for (i = 1; i < plan->nr_strings; i++)
		if (!plan->strings[i].gone)
			tails[(*nr)++].string = i;
	if (!*nr)
		return 0;
	err = sort_tails(plan, tails, *nr);
	if (!err)
		find_owners(plan, tails, *nr);
	return err;
}

int gsym_plan_string_table(struct gsym_plan *plan, bool shared)
{
	_cleanup_(cleanup_free) struct tail *tails = NULL;
	uint32_t i, nr = 0;
	int err;

	plan->strings_len = 1;
	err = shared ? share(plan, &tails, &nr) : 0;
	if (err)
		return err;
	for (i = 1; i < plan->nr_strings; i++) {
		if (plan->strings[i].shared || plan->strings[i].gone)
			continue;
		plan->strings[i].at = plan->strings_len;
		plan->strings_len += plan->strings[i].len + 1ull;
	}
	for (i = 0; i < nr; i++) {
		struct gsym_plan_string *s = &plan->strings[tails[i].string];
		const struct gsym_plan_string *owner = &plan->strings[tails[i].key];

		if (s->shared)
			s->at = owner->at + owner->len - s->len;
	}
	return 0;
}
