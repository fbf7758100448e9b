// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorted arrays of mappings, shared by reference count and copied before a change, see
 * maps.h.
 */
#include "host/process/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

struct process_maps *process_maps_new(void)
{
	struct process_maps *m = calloc(1, sizeof(*m));

	if (m)
		m->refs = 1;
	return m;
}

struct process_maps *process_maps_ref(struct process_maps *m)
{
	m->refs++;
	return m;
}

void process_maps_put(struct process_files *files, struct process_maps *m)
{
	uint32_t i;

	if (!m || --m->refs)
		return;
	for (i = 0; i < m->nr; i++)
		process_file_put(files, m->map[i].file);
	free(m->map);
	free(m);
}

int process_maps_unshare(struct process_files *files, struct process_maps **m)
{
	struct process_maps *old = *m, *copy;
	uint32_t i;

	if (old->refs == 1)
		return 0;
	copy = process_maps_new();
	if (!copy)
		return -ENOMEM;
	copy->room = old->nr + 4;
	copy->map = calloc(copy->room, sizeof(*copy->map));
	if (!copy->map) {
		free(copy);
		return -ENOMEM;
	}
	for (i = 0; i < old->nr; i++) {
		copy->map[i] = old->map[i];
		process_file_ref(copy->map[i].file);
	}
	copy->nr = old->nr;
	process_maps_put(files, old);
	*m = copy;
	return 0;
}

/* Index of the first mapping that ends after @addr. */
static uint32_t first_behind(const struct process_maps *m, uint64_t addr)
{
	uint32_t low = 0, high = m->nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (m->map[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Makes room for two more: the new mapping, and the rest of one that it splits. */
static int make_room(struct process_maps *m)
{
	struct process_map *map;

	if (m->nr + 2 <= m->room)
		return 0;
	map = reallocarray(m->map, 2 * (size_t)m->nr + 8, sizeof(*map));
	if (!map)
		return -ENOMEM;
	m->map = map;
	m->room = 2 * m->nr + 8;
	return 0;
}

static void trim_start(struct process_map *map, uint64_t start)
{
	map->offset += start - map->start;
	map->start = start;
}

/* Replaces the mappings [@from, @to) by room for @nr mappings, whose content is not set. */
static void replace(struct process_maps *m, uint32_t from, uint32_t to, uint32_t nr)
{
	if (to - from != nr)
		memmove(m->map + from + nr, m->map + to, (m->nr - to) * sizeof(*m->map));
	m->nr += nr - (to - from);
}

/*
 * Mappings after the place of @map are moved at most once, and not at all if it replaces
 * exactly one: a process may map over its own mappings all the time, with thousands of
 * other mappings.
 */
int process_maps_add(struct process_files *files, struct process_maps *m,
		     const struct process_map *map)
{
	struct process_map behind;
	uint32_t from, to;

	if (make_room(m))
		return -ENOMEM;
	if (map->start >= map->end)
		return 0;
	process_file_ref(map->file);
	from = first_behind(m, map->start);
	if (from < m->nr && m->map[from].start < map->start) {
		behind = m->map[from];
		m->map[from++].end = map->start;
		if (behind.end > map->end) {
			/* the old mapping continues on both sides of the new one */
			process_file_ref(behind.file);
			trim_start(&behind, map->end);
			replace(m, from, from, 2);
			m->map[from] = *map;
			m->map[from + 1] = behind;
			return 0;
		}
	}
	for (to = from; to < m->nr && m->map[to].end <= map->end; to++)
		process_file_put(files, m->map[to].file);
	replace(m, from, to, 1);
	m->map[from] = *map;
	if (from + 1 < m->nr && m->map[from + 1].start < map->end)
		trim_start(&m->map[from + 1], map->end);
	return 0;
}

const struct process_map *process_maps_find(const struct process_maps *m, uint64_t addr)
{
	uint32_t i = first_behind(m, addr);

	return i < m->nr && m->map[i].start <= addr ? &m->map[i] : NULL;
}
