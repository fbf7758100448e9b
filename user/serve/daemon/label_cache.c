// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cache from bytes to bytes with a limit in bytes: a hash table with a list by time of use. The
 * entry that has not been used for longest is dropped first. window.c uses it.
 */
#include "serve/daemon/label_cache.h"

#include <stdlib.h>
#include <string.h>

#include "util/intern.h"

#include "util/poison.h"

/* Bytes of a typical entry, to choose the number of buckets. */
#define USUAL 512
/* Bytes that malloc() needs for each entry. */
#define BESIDE 16

/**
 * struct entry - a key and its value
 * @chain: next entry of the same bucket
 * @newer: next entry by time of use; NULL for the newest
 * @older: previous entry by time of use; NULL for the oldest, which is dropped first
 * @hash: hash of the key
 * @key_len: length of the key
 * @len: length of the value
 * @bytes: the key, then the value
 */
struct entry {
	struct entry *chain;
	struct entry *newer;
	struct entry *older;
	uint64_t hash;
	size_t key_len;
	size_t len;
	uint8_t bytes[];
};

struct label_cache {
	struct intern keyed;	/* only its secret key of hashes is used */
	struct entry **bucket;
	size_t mask;
	struct entry *newest;
	struct entry *oldest;
	size_t max_bytes;
	size_t bytes;
	size_t nr;
};

struct label_cache *label_cache_new(size_t max_bytes)
{
	struct label_cache *c = calloc(1, sizeof(*c));
	size_t buckets = 64;

	if (!c)
		return NULL;
	while (buckets < max_bytes / USUAL)
		buckets *= 2;
	c->bucket = calloc(buckets, sizeof(struct entry *));
	if (!c->bucket) {
		free(c);
		return NULL;
	}
	intern_init(&c->keyed);
	c->mask = buckets - 1;
	c->max_bytes = max_bytes;
	return c;
}

void label_cache_free(struct label_cache *c)
{
	struct entry *e, *older;

	if (!c)
		return;
	for (e = c->newest; e; e = older) {
		older = e->older;
		free(e);
	}
	free(c->bucket);
	free(c);
}

static size_t bytes_of(const struct entry *e)
{
	return sizeof(*e) + e->key_len + e->len + BESIDE;
}

static void unlink_age(struct label_cache *c, struct entry *e)
{
	*(e->newer ? &e->newer->older : &c->newest) = e->older;
	*(e->older ? &e->older->newer : &c->oldest) = e->newer;
}

static void link_newest(struct label_cache *c, struct entry *e)
{
	e->newer = NULL;
	e->older = c->newest;
	*(c->newest ? &c->newest->newer : &c->oldest) = e;
	c->newest = e;
}

static void drop(struct label_cache *c, struct entry *e)
{
	struct entry **at = &c->bucket[e->hash & c->mask];

	while (*at != e)
		at = &(*at)->chain;
	*at = e->chain;
	unlink_age(c, e);
	c->bytes -= bytes_of(e);
	c->nr--;
	free(e);
}

const void *label_cache_find(struct label_cache *c, const void *key, size_t key_len,
			     size_t *ret_len)
{
	uint64_t hash = intern_bytes(&c->keyed, key, key_len);
	struct entry *e;

	for (e = c->bucket[hash & c->mask]; e; e = e->chain)
		if (e->hash == hash && e->key_len == key_len && !memcmp(e->bytes, key, key_len))
			break;
	if (!e)
		return NULL;
	if (e != c->newest) {
		unlink_age(c, e);
		link_newest(c, e);
	}
	*ret_len = e->len;
	return e->bytes + key_len;
}

void label_cache_put(struct label_cache *c, const void *key, size_t key_len,
		     const void *value, size_t len)
{
	struct entry *e, **bucket;

	if (sizeof(*e) + key_len + len + BESIDE > c->max_bytes)
		return;
	e = malloc(sizeof(*e) + key_len + len);
	if (!e)
		return;
	e->hash = intern_bytes(&c->keyed, key, key_len);
	e->key_len = key_len;
	e->len = len;
	memcpy(e->bytes, key, key_len);
	memcpy(e->bytes + key_len, value, len);
	while (c->oldest && c->bytes + bytes_of(e) > c->max_bytes)
		drop(c, c->oldest);
	bucket = &c->bucket[e->hash & c->mask];
	e->chain = *bucket;
	*bucket = e;
	link_newest(c, e);
	c->bytes += bytes_of(e);
	c->nr++;
}

size_t label_cache_bytes(const struct label_cache *c)
{
	return c->bytes;
}

size_t label_cache_entries(const struct label_cache *c)
{
	return c->nr;
}
