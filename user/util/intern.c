// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hash table of util/intern.h: growing it, and the keyed hash of bytes.
 */
#include "util/intern.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "util/poison.h"

#define FIRST_SLOTS 64

void intern_init(struct intern *t)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	*t = (struct intern){ .key = { 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9 } };
	if (random)
		memcpy(t->key, random, sizeof(t->key));
	/* the key is a factor, so it must not be 0 */
	t->key[1] |= 1;
}

void intern_release(struct intern *t)
{
	free(t->slots);
	intern_init(t);
}

void intern_clear(struct intern *t)
{
	if (t->slots)
		memset(t->slots, 0, (t->mask + 1) * sizeof(*t->slots));
	t->nr = 0;
}

static void place(struct intern *t, struct intern_slot slot)
{
	size_t i = slot.hash & t->mask;

	while (t->slots[i].number)
		i = (i + 1) & t->mask;
	t->slots[i] = slot;
}

bool intern_grow(struct intern *t)
{
	size_t old_nr = t->slots ? t->mask + 1 : 0, i;
	size_t nr = old_nr ? 2 * old_nr : FIRST_SLOTS;
	struct intern_slot *old = t->slots, *slots;

	slots = reallocarray(NULL, nr, sizeof(*slots));
	if (!slots)
		return false;
	memset(slots, 0, nr * sizeof(*slots));
	t->slots = slots;
	t->mask = nr - 1;
	for (i = 0; i < old_nr; i++)
		if (old[i].number)
			place(t, old[i]);
	free(old);
	return true;
}

void intern_put(struct intern *t, uint64_t hash, uint32_t number)
{
	place(t, (struct intern_slot){ .hash = (uint32_t)hash, .number = number });
	t->nr++;
}

uint64_t intern_bytes(const struct intern *t, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t h = t->key[0] ^ len, word[2];

	for (; len > sizeof(word); len -= sizeof(word), p += sizeof(word)) {
		memcpy(word, p, sizeof(word));
		h = intern_mix(word[0] ^ h, word[1] ^ t->key[1]);
	}
	memset(word, 0, sizeof(word));
	if (len)
		memcpy(word, p, len);
	h = intern_mix(word[0] ^ h, word[1] ^ t->key[1]);
	return intern_mix(h ^ t->key[0], t->key[1]);
}
