// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table from a file's ids to numbers of the profile. See pprof_ids.h;
 * pprof_read.c uses it.
 */
#include "profile/pprof_ids.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

#include "util/poison.h"

void pprof_ids_init(struct pprof_ids *t)
{
	*t = (struct pprof_ids){ .nr = 1 };
	intern_init(&t->index);
}

void pprof_ids_release(struct pprof_ids *t)
{
	free(t->ids);
	intern_release(&t->index);
	t->ids = NULL;
}

/* Most files have ids from 1 on, so that an id is its own index. */
static const struct pprof_id *find(const struct pprof_ids *t, uint64_t id, uint64_t hash)
{
	struct intern_probe at;
	uint32_t n;

	if (id < t->nr && t->ids && t->ids[id].id == id)
		return &t->ids[id];
	for (at = intern_probe(&t->index, hash); (n = intern_next(&t->index, &at));)
		if (t->ids[n].id == id)
			return &t->ids[n];
	return NULL;
}

int pprof_ids_add(struct pprof_ids *t, uint64_t id, uint32_t number)
{
	uint64_t hash = intern_words(&t->index, &id, 1);

	if (find(t, id, hash))
		return -EEXIST;
	if (!t->ids && !array_has_room(t->ids, 0, t->room))
		return -ENOMEM;
	if (!array_has_room(t->ids, t->nr, t->room) || !intern_room(&t->index))
		return -ENOMEM;
	t->ids[0] = (struct pprof_id){ 0 };
	t->ids[t->nr] = (struct pprof_id){ id, number };
	intern_put(&t->index, hash, t->nr++);
	return 0;
}

bool pprof_ids_find(const struct pprof_ids *t, uint64_t id, uint32_t *ret)
{
	const struct pprof_id *found = find(t, id, intern_words(&t->index, &id, 1));

	if (found)
		*ret = found->number;
	return found != NULL;
}
