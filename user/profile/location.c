// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locations of a profile and their lines: profile_location() and so on of
 * profile.h.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/index.h"

#include "util/poison.h"

uint32_t profile_location(struct profile *p, uint32_t mapping, uint64_t address)
{
	const uint64_t key[] = { address, mapping };
	struct intern_probe at;
	uint64_t hash;
	uint32_t n;

	if (p->index->error)
		return 0;
	hash = intern_words(&p->index->locations, key, 2);
	at = intern_probe(&p->index->locations, hash);
	while ((n = intern_next(&p->index->locations, &at)))
		if (p->locations[n].address == address && p->locations[n].mapping == mapping)
			return n;
	if (!profile_room_indexed(p, locations))
		return 0;
	p->locations[p->nr_locations] = (struct profile_location){ .address = address,
								   .mapping = mapping };
	intern_put(&p->index->locations, hash, p->nr_locations);
	return p->nr_locations++;
}

/* Makes room for @nr lines after the last one, all or none. */
static bool lines_room(struct profile *p, uint32_t nr)
{
	struct profile_index *x = p->index;
	size_t want = (size_t)p->nr_lines + nr, room = x->room.lines;
	struct profile_line *lines;

	if (want > x->limit)
		return profile_fail(p, E2BIG);
	if (want <= room)
		return true;
	while (room < want)
		room = room ? 2 * room : ARRAY_FIRST_ROOM;
	lines = reallocarray(p->lines, room, sizeof(*lines));
	if (!lines)
		return profile_fail(p, ENOMEM);
	p->lines = lines;
	x->room.lines = room;
	return true;
}

void profile_location_lines(struct profile *p, uint32_t location,
			    const struct profile_line *lines, uint32_t nr)
{
	struct profile_location *l = &p->locations[location];
	/* if @lines is part of @p->lines, it moves when the array grows */
	bool own = p->lines && lines >= p->lines && lines < p->lines + p->nr_lines;
	size_t from = own ? (size_t)(lines - p->lines) : 0;

	if (p->index->error)
		return;
	if (nr > l->nr_lines) {
		if (!lines_room(p, nr))
			return;
		l->first_line = p->nr_lines;
		p->nr_lines += nr;
	}
	l->nr_lines = nr;
	if (nr)
		memmove(p->lines + l->first_line, own ? p->lines + from : lines,
			nr * sizeof(*lines));
}

static bool same_lines(const struct profile *p, uint32_t location,
		       const struct profile_line *lines, uint32_t nr)
{
	const struct profile_location *l = &p->locations[location];

	return l->nr_lines == nr &&
	       (!nr || !memcmp(p->lines + l->first_line, lines, nr * sizeof(*lines)));
}

/*
 * Finds or adds a location whose address exists already, but with other lines.
 */
static uint32_t variant(struct profile *p, uint32_t mapping, uint64_t address,
			const struct profile_line *lines, uint32_t nr)
{
	struct intern *index = &p->index->variants;
	uint64_t key[] = { address, mapping, intern_bytes(index, lines, nr * sizeof(*lines)) };
	uint64_t hash = intern_words(index, key, 3);
	struct intern_probe at;
	uint32_t n;

	for (at = intern_probe(index, hash); (n = intern_next(index, &at));)
		if (p->locations[n].address == address && p->locations[n].mapping == mapping &&
		    same_lines(p, n, lines, nr))
			return n;
	if (!profile_room(p, locations) ||
	    !(intern_room(index) || profile_fail(p, ENOMEM)))
		return 0;
	n = p->nr_locations++;
	p->locations[n] = (struct profile_location){ .address = address, .mapping = mapping };
	intern_put(index, hash, n);
	profile_location_lines(p, n, lines, nr);
	return n;
}

uint32_t profile_location_named(struct profile *p, uint32_t mapping, uint64_t address,
				const struct profile_line *lines, uint32_t nr)
{
	uint32_t before = p->nr_locations, n = profile_location(p, mapping, address);

	if (p->index->error || same_lines(p, n, lines, nr))
		return n;
	if (n == before || (address && !p->locations[n].nr_lines)) {
		profile_location_lines(p, n, lines, nr);
		return n;
	}
	return address && !nr ? n : variant(p, mapping, address, lines, nr);
}
