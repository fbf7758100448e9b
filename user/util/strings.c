// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strings stored once each, in large pieces of memory (util/strings.h).
 */
#include "util/strings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

#define CHUNK_BYTES 65000

/* A piece of memory that holds strings one after the other. */
struct strings_chunk {
	struct strings_chunk *next;
	size_t used;
	size_t room;
	char bytes[];
};

int strings_init(struct strings *t)
{
	*t = (struct strings){ 0 };
	intern_init(&t->index);
	if (!array_has_room(t->entries, t->nr, t->room))
		return -ENOMEM;
	t->entries[t->nr++] = (struct strings_entry){ .s = "" };
	return 0;
}

void strings_release(struct strings *t)
{
	struct strings_chunk *c, *next;

	for (c = t->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	free(t->entries);
	intern_release(&t->index);
	*t = (struct strings){ 0 };
}

static uint32_t find(const struct strings *t, const char *s, size_t len, uint64_t hash)
{
	struct intern_probe p;
	uint32_t n;

	for (p = intern_probe(&t->index, hash); (n = intern_next(&t->index, &p));)
		if (t->entries[n].len == len && !memcmp(t->entries[n].s, s, len))
			return n;
	return 0;
}

/*
 * Return: memory for @len bytes. A long string gets a chunk of its own, which
 * is put second in the list, so that the first chunk can still be filled.
 */
static char *take(struct strings *t, size_t len)
{
	struct strings_chunk *c = t->chunks;
	size_t room = len > CHUNK_BYTES ? len : CHUNK_BYTES;
	char *ret;

	if (!c || c->room - c->used < len) {
		c = reallocarray(NULL, 1, sizeof(*c) + room);
		if (!c)
			return NULL;
		*c = (struct strings_chunk){ .room = room };
		if (t->chunks && room == len) {
			c->next = t->chunks->next;
			t->chunks->next = c;
		} else {
			c->next = t->chunks;
			t->chunks = c;
		}
	}
	ret = c->bytes + c->used;
	c->used += len;
	return ret;
}

int strings_add(struct strings *t, const char *s, size_t len, uint32_t *ret)
{
	uint64_t hash = intern_bytes(&t->index, s, len);
	char *bytes;

	*ret = len ? find(t, s, len, hash) : 0;
	if (*ret || !len)
		return 0;
	if (t->nr == UINT32_MAX || len >= UINT32_MAX)
		return -E2BIG;
	if (!array_has_room(t->entries, t->nr, t->room) || !intern_room(&t->index))
		return -ENOMEM;
	bytes = take(t, len + 1);
	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, s, len);
	bytes[len] = '\0';
	t->entries[t->nr] = (struct strings_entry){ .s = bytes, .len = (uint32_t)len };
	intern_put(&t->index, hash, t->nr);
	*ret = t->nr++;
	return 0;
}

uint32_t strings_find(const struct strings *t, const char *s, size_t len)
{
	return len ? find(t, s, len, intern_bytes(&t->index, s, len)) : 0;
}
