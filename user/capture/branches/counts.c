// SPDX-License-Identifier: GPL-2.0-only
/* Counts of distinct pairs of addresses. See private.h; load.c and fdata.c call it. */
#include <errno.h>
#include <stdlib.h>

#include "capture/branches/private.h"
#include "util/array.h"

void branches_counts_init(struct branches_counts *c)
{
	*c = (struct branches_counts){ .nr = 0 };
	intern_init(&c->index);
}

void branches_counts_release(struct branches_counts *c)
{
	free(c->at);
	intern_release(&c->index);
	c->at = NULL;
}

/* A sum that does not wrap: the file may claim any numbers. */
static uint64_t sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

int branches_counts_add(struct branches_counts *c, const struct branches_count *add)
{
	const uint64_t key[] = { add->from, add->to };
	uint64_t hash = intern_words(&c->index, key, 2);
	struct intern_probe probe = intern_probe(&c->index, hash);
	uint32_t n;

	while ((n = intern_next(&c->index, &probe)))
		if (c->at[n].from == add->from && c->at[n].to == add->to) {
			c->at[n].count = sum(c->at[n].count, add->count);
			c->at[n].missed = sum(c->at[n].missed, add->missed);
			c->at[n].followed = sum(c->at[n].followed, add->followed);
			return 0;
		}
	if (c->nr > BRANCHES_MAX)
		return -E2BIG;
	/* number 0 is that of the entry that is not used */
	if (!c->nr) {
		if (!array_has_room(c->at, c->nr, c->room))
			return -ENOMEM;
		c->at[c->nr++] = (struct branches_count){ .from = 0 };
	}
	if (!array_has_room(c->at, c->nr, c->room) || !intern_room(&c->index))
		return -ENOMEM;
	c->at[c->nr] = *add;
	intern_put(&c->index, hash, c->nr++);
	return 0;
}

static int by_addresses(const void *x, const void *y)
{
	const struct branches_count *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

void branches_counts_sort(struct branches_counts *c)
{
	if (c->nr > 1)
		qsort(c->at + 1, c->nr - 1, sizeof(*c->at), by_addresses);
}

const struct branches_count *branches_counts_first(const struct branches_counts *c,
						   const struct branches_count **end)
{
	const struct branches_count *first = c->nr ? c->at + 1 : c->at;

	*end = c->nr ? c->at + c->nr : c->at;
	return first;
}
