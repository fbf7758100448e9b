// SPDX-License-Identifier: GPL-2.0-only
/*
 * A set of 64-bit numbers in a hash table that doubles until its limit. The numbers are hashes, so
 * their low bits are used as hash.
 */
#include "serve/clickhouse/number_set.h"

#include <stdlib.h>

#include "util/poison.h"

#define FIRST_ROOM 1024u

void clickhouse_number_set_release(struct clickhouse_number_set *k)
{
	free(k->at);
	*k = (struct clickhouse_number_set){ 0 };
}

/* Return: the slot that has @number, or the free one where it belongs. */
static uint64_t *find(const struct clickhouse_number_set *k, uint64_t number)
{
	size_t i = number & (k->room - 1);

	while (k->at[i] && k->at[i] != number)
		i = (i + 1) & (k->room - 1);
	return &k->at[i];
}

static bool grow(struct clickhouse_number_set *k)
{
	struct clickhouse_number_set more = { .room = k->room ? 2 * k->room : FIRST_ROOM, .nr = k->nr };
	size_t i;

	more.at = calloc(more.room, sizeof(*more.at));
	if (!more.at)
		return false;
	for (i = 0; i < k->room; i++)
		if (k->at[i])
			*find(&more, k->at[i]) = k->at[i];
	free(k->at);
	*k = more;
	return true;
}

bool clickhouse_number_set_add(struct clickhouse_number_set *k, uint64_t number)
{
	uint64_t *slot;

	number += !number;
	if (k->nr >= k->room / 2 && (k->nr >= CLICKHOUSE_MAX_NUMBERS || !grow(k)))
		return !k->room || *find(k, number) != number;
	slot = find(k, number);
	if (*slot == number)
		return false;
	*slot = number;
	k->nr++;
	return true;
}
