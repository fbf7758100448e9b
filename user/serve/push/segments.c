// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the windows of the store's segments, from reports of where the store ends. push.c calls it
 * under the lock of struct push_common.
 */
#include "serve/push/segments.h"

#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

void push_segments_release(struct push_segments *k)
{
	free(k->at);
	*k = (struct push_segments){ 0 };
}

void push_segments_appended(struct push_segments *k, const struct store_position *end)
{
	if (k->nr && k->at[k->nr - 1].segment == end->segment) {
		k->at[k->nr - 1] = *end;
		return;
	}
	/* numbers that go back are those of another store: forget the previous one */
	if (k->nr && k->at[k->nr - 1].segment > end->segment)
		k->nr = 0;
	if (!k->at)
		k->at = reallocarray(NULL, PUSH_MAX_SEGMENTS, sizeof(*k->at));
	if (!k->at)
		return;
	if (k->nr == PUSH_MAX_SEGMENTS)
		memmove(k->at, k->at + 1, --k->nr * sizeof(*k->at));
	k->at[k->nr++] = *end;
}

uint64_t push_segments_between(const struct push_segments *k, const struct store_position *from,
			       const struct store_position *to, uint64_t *unknown)
{
	uint64_t first, sum = 0;
	uint32_t i;

	*unknown = to->segment > from->segment ? to->segment - from->segment - 1 : 0;
	for (i = 0; i < k->nr && k->at[i].segment < to->segment; i++) {
		if (k->at[i].segment < from->segment)
			continue;
		first = k->at[i].segment == from->segment ? from->record : 0;
		*unknown -= k->at[i].segment > from->segment;
		sum += k->at[i].record > first ? k->at[i].record - first : 0;
	}
	first = to->segment == from->segment ? from->record : 0;
	return sum + (to->record > first && to->segment >= from->segment ? to->record - first : 0);
}

bool push_segments_has(const struct push_segments *k, uint64_t segment)
{
	uint32_t i;

	for (i = k->nr; i; i--)
		if (k->at[i - 1].segment == segment)
			return true;
	return false;
}
