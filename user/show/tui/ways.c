// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sorted set of hashes, each of a path from the root: the nodes that are
 * unfolded. See model.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/tui/model.h"
#include "util/array.h"

#include "util/poison.h"

/* Return: index where @way is or would be. */
static size_t place(const struct tui_ways *w, uint64_t way)
{
	size_t from = 0, to = w->nr, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (w->way[mid] < way)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

bool tui_ways_have(const struct tui_ways *w, uint64_t way)
{
	size_t at = place(w, way);

	return at < w->nr && w->way[at] == way;
}

int tui_ways_append(struct tui_ways *w, uint64_t way)
{
	if (!array_has_room(w->way, w->nr, w->room))
		return -ENOMEM;
	w->way[w->nr++] = way;
	return 0;
}

int tui_ways_add(struct tui_ways *w, uint64_t way)
{
	size_t at = place(w, way);

	if (at < w->nr && w->way[at] == way)
		return 0;
	if (tui_ways_append(w, way))
		return -ENOMEM;
	memmove(w->way + at + 1, w->way + at, (w->nr - 1 - at) * sizeof(*w->way));
	w->way[at] = way;
	return 0;
}

void tui_ways_remove(struct tui_ways *w, uint64_t way)
{
	size_t at = place(w, way);

	if (at == w->nr || w->way[at] != way)
		return;
	w->nr--;
	memmove(w->way + at, w->way + at + 1, (w->nr - at) * sizeof(*w->way));
}

static int ascending(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

void tui_ways_sort(struct tui_ways *w)
{
	size_t i, nr = 0;

	if (w->nr)
		qsort(w->way, w->nr, sizeof(*w->way), ascending);
	for (i = 0; i < w->nr; i++)
		if (!nr || w->way[nr - 1] != w->way[i])
			w->way[nr++] = w->way[i];
	w->nr = nr;
}
