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

/* Return: index where @path is or would be. */
static size_t place(const struct tui_path_set *s, uint64_t path)
{
	size_t from = 0, to = s->nr, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (s->path[mid] < path)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

bool tui_path_set_has(const struct tui_path_set *s, uint64_t path)
{
	size_t at = place(s, path);

	return at < s->nr && s->path[at] == path;
}

int tui_path_set_append(struct tui_path_set *s, uint64_t path)
{
	if (!array_has_room(s->path, s->nr, s->room))
		return -ENOMEM;
	s->path[s->nr++] = path;
	return 0;
}

int tui_path_set_add(struct tui_path_set *s, uint64_t path)
{
	size_t at = place(s, path);

	if (at < s->nr && s->path[at] == path)
		return 0;
	if (tui_path_set_append(s, path))
		return -ENOMEM;
	memmove(s->path + at + 1, s->path + at, (s->nr - 1 - at) * sizeof(*s->path));
	s->path[at] = path;
	return 0;
}

void tui_path_set_remove(struct tui_path_set *s, uint64_t path)
{
	size_t at = place(s, path);

	if (at == s->nr || s->path[at] != path)
		return;
	s->nr--;
	memmove(s->path + at, s->path + at + 1, (s->nr - at) * sizeof(*s->path));
}

static int ascending(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

void tui_path_set_sort(struct tui_path_set *s)
{
	size_t i, nr = 0;

	if (s->nr)
		qsort(s->path, s->nr, sizeof(*s->path), ascending);
	for (i = 0; i < s->nr; i++)
		if (!nr || s->path[nr - 1] != s->path[i])
			s->path[nr++] = s->path[i];
	s->nr = nr;
}
