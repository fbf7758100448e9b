// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table of stack chunks by id, and the way back from an id to frames.
 * See stacks.h. window.c adds chunks, drain.c asks for stacks.
 */
#include "capture/sampler/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

#define FIRST_SLOTS 1024u

void stacks_clear(struct stacks *s)
{
	s->nr = 0;
	if (s->slots)
		memset(s->slots, 0, s->nr_slots * sizeof(*s->slots));
}

void stacks_release(struct stacks *s)
{
	free(s->chunks);
	free(s->ids);
	free(s->slots);
	*s = (struct stacks)STACKS_INIT;
}

/* An id consists of a CPU and a number that counts up, so it is hashed. */
static uint32_t slot_of(const struct stacks *s, uint64_t id)
{
	return (id * 0x9e3779b97f4a7c15ull >> 32) & (s->nr_slots - 1);
}

static void put(struct stacks *s, uint32_t index)
{
	uint32_t slot = slot_of(s, s->ids[index]);

	while (s->slots[slot])
		slot = (slot + 1) & (s->nr_slots - 1);
	s->slots[slot] = index + 1;
}

/* Makes room for @more chunks, in the arrays and in the hash table. */
static int grow(struct stacks *s, size_t more)
{
	size_t need = s->nr + more, slots = s->nr_slots ? s->nr_slots : FIRST_SLOTS;
	void *moved;
	uint32_t i;

	if (need >= UINT32_MAX / 4)
		return -ENOMEM;
	if (need > s->room) {
		moved = reallocarray(s->chunks, 2 * need, sizeof(*s->chunks));
		if (!moved)
			return -ENOMEM;
		s->chunks = moved;
		moved = reallocarray(s->ids, 2 * need, sizeof(*s->ids));
		if (!moved)
			return -ENOMEM;
		s->ids = moved;
		s->room = 2 * need;
	}
	while (slots <= 2 * need)
		slots *= 2;
	if (slots == s->nr_slots)
		return 0;
	moved = calloc(slots, sizeof(*s->slots));
	if (!moved)
		return -ENOMEM;
	free(s->slots);
	s->slots = moved;
	s->nr_slots = slots;
	for (i = 0; i < s->nr; i++)
		put(s, i);
	return 0;
}

int stacks_add(struct stacks *s, const struct wire_chunk *chunks, const uint64_t *ids,
	       size_t nr)
{
	int err = grow(s, nr);
	size_t i;

	if (err)
		return err;
	for (i = 0; i < nr; i++) {
		s->chunks[s->nr] = chunks[i];
		s->ids[s->nr] = ids[i];
		put(s, s->nr++);
	}
	return 0;
}

static const struct wire_chunk *find(const struct stacks *s, uint64_t id)
{
	uint32_t slot, index;

	if (!s->nr)
		return NULL;
	for (slot = slot_of(s, id); s->slots[slot]; slot = (slot + 1) & (s->nr_slots - 1)) {
		index = s->slots[slot] - 1;
		if (s->ids[index] == id)
			return &s->chunks[index];
	}
	return NULL;
}

int stacks_get(const struct stacks *s, uint64_t id, uint64_t *pcs, uint32_t room)
{
	const struct wire_chunk *c;
	uint32_t nr = 0, in;

	while (id) {
		c = find(s, id);
		if (!c)
			return -ENOENT;
		in = c->link >> WIRE_LINK_SHIFT;
		/*
		 * only the innermost chunk, which comes first, may be partly
		 * filled
		 */
		if (!in || in > WIRE_CHUNK_FRAMES || (nr && in < WIRE_CHUNK_FRAMES))
			return -EPROTO;
		/* chunks that refer to one another in a circle end here too */
		if (nr + in > room)
			return -EPROTO;
		while (in)
			pcs[nr++] = c->pc[--in];
		id = c->link & WIRE_ID_MASK;
	}
	return nr;
}
