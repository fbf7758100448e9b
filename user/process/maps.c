// SPDX-License-Identifier: GPL-2.0-only
#include "process/maps.h"

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

int process_maps_own(struct process_files *files, struct process_maps **m)
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

/* The first mapping that ends behind @addr. */
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

/* Two more than there are: the new one, and the rest of one that it splits. */
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

static void open_gap(struct process_maps *m, uint32_t at)
{
	memmove(m->map + at + 1, m->map + at, (m->nr - at) * sizeof(*m->map));
	m->nr++;
}

static void trim_start(struct process_map *map, uint64_t start)
{
	map->offset += start - map->start;
	map->start = start;
}

/* Takes [@start, @end) out. Return: where a mapping that starts at @start belongs. */
static uint32_t cut(struct process_files *files, struct process_maps *m, uint64_t start,
		    uint64_t end)
{
	uint32_t i = first_behind(m, start), gone;

	if (i < m->nr && m->map[i].start < start) {
		if (m->map[i].end > end) {
			open_gap(m, i);
			process_file_ref(m->map[i].file);
			trim_start(&m->map[i + 1], end);
		}
		m->map[i++].end = start;
	}
	for (gone = i; gone < m->nr && m->map[gone].end <= end; gone++)
		process_file_put(files, m->map[gone].file);
	memmove(m->map + i, m->map + gone, (m->nr - gone) * sizeof(*m->map));
	m->nr -= gone - i;
	if (i < m->nr && m->map[i].start < end)
		trim_start(&m->map[i], end);
	return i;
}

int process_maps_add(struct process_files *files, struct process_maps *m,
		     const struct process_map *map)
{
	uint32_t at;

	if (make_room(m))
		return -ENOMEM;
	if (map->start >= map->end)
		return 0;
	process_file_ref(map->file);
	at = cut(files, m, map->start, map->end);
	open_gap(m, at);
	m->map[at] = *map;
	return 0;
}

const struct process_map *process_maps_find(const struct process_maps *m, uint64_t addr)
{
	uint32_t i = first_behind(m, addr);

	return i < m->nr && m->map[i].start <= addr ? &m->map[i] : NULL;
}
