// SPDX-License-Identifier: GPL-2.0-only
/* A map from the server's 64-bit numbers to small ones, by a hash index (util/intern.h). */
#include "serve/clickhouse/ids.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

#include "util/poison.h"

int clickhouse_ids_init(struct clickhouse_ids *ids)
{
	*ids = (struct clickhouse_ids){ .nr = 0 };
	intern_init(&ids->index);
	if (!array_has_room(ids->id, ids->nr, ids->room))
		return -ENOMEM;
	ids->id[ids->nr++] = 0;
	return 0;
}

void clickhouse_ids_release(struct clickhouse_ids *ids)
{
	free(ids->id);
	intern_release(&ids->index);
}

static uint32_t find(const struct clickhouse_ids *ids, uint64_t id, uint64_t hash)
{
	struct intern_probe at;
	uint32_t n;

	for (at = intern_probe(&ids->index, hash); (n = intern_next(&ids->index, &at));)
		if (ids->id[n] == id)
			return n;
	return 0;
}

uint32_t clickhouse_ids_find(const struct clickhouse_ids *ids, uint64_t id)
{
	return find(ids, id, intern_words(&ids->index, &id, 1));
}

uint32_t clickhouse_ids_add(struct clickhouse_ids *ids, uint64_t id)
{
	uint64_t hash = intern_words(&ids->index, &id, 1);
	uint32_t n = find(ids, id, hash);

	if (n)
		return n;
	if (ids->nr == UINT32_MAX || !array_has_room(ids->id, ids->nr, ids->room) ||
	    !intern_room(&ids->index))
		return 0;
	intern_put(&ids->index, hash, ids->nr);
	ids->id[ids->nr] = id;
	return ids->nr++;
}
