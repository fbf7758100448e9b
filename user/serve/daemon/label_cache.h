/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cache that finds a value by the bytes of a key. It has a limit in bytes, so that a daemon can
 * use it for ever; the entry that was not used for longest is dropped first.
 */
#ifndef USTACK_USER_DAEMON_LABEL_CACHE_H
#define USTACK_USER_DAEMON_LABEL_CACHE_H

#include <stddef.h>
#include <stdint.h>

struct label_cache;

/* @max_bytes: limit for keys, values and their overhead. Return: NULL without memory. */
struct label_cache *label_cache_new(size_t max_bytes);
void label_cache_free(struct label_cache *c);

/**
 * label_cache_find() - find a value
 * @c: the cache
 * @key: the key, any bytes
 * @key_len: length of @key
 * @ret_len: gets the length of the value, on success
 *
 * Return: the value, valid until label_cache_put(); NULL if the cache does not have it.
 */
const void *label_cache_find(struct label_cache *c, const void *key, size_t key_len,
			     size_t *ret_len);

/*
 * Adds an entry that the cache does not have. It is skipped if it is too large or memory is short.
 */
void label_cache_put(struct label_cache *c, const void *key, size_t key_len,
		     const void *value, size_t len);

/* Return: number of bytes in use, and of entries. */
size_t label_cache_bytes(const struct label_cache *c);
size_t label_cache_entries(const struct label_cache *c);

#endif /* USTACK_USER_DAEMON_LABEL_CACHE_H */
