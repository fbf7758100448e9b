/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was made of something, found again by its bytes: within so many bytes, and what was
 * not asked for longest goes first. For who runs for ever.
 */
#ifndef USTACK_USER_DAEMON_LABEL_CACHE_H
#define USTACK_USER_DAEMON_LABEL_CACHE_H

#include <stddef.h>
#include <stdint.h>

struct label_cache;

/* @max_bytes: of keys, values and what they take beside. Return: NULL without memory. */
struct label_cache *label_cache_new(size_t max_bytes);
void label_cache_free(struct label_cache *c);

/**
 * label_cache_find() - look
 * @c: the cache
 * @key: @key_len bytes
 * @key_len: any
 * @ret_len: bytes of the value; on success
 *
 * Return: the value, valid until label_cache_put(); NULL if it is not there.
 */
const void *label_cache_find(struct label_cache *c, const void *key, size_t key_len,
			     size_t *ret_len);

/* Puts what is not there. What is too large, or has no memory, is not kept. */
void label_cache_put(struct label_cache *c, const void *key, size_t key_len,
		     const void *value, size_t len);

/* Bytes in use, and entries. */
size_t label_cache_bytes(const struct label_cache *c);
size_t label_cache_entries(const struct label_cache *c);

#endif /* USTACK_USER_DAEMON_LABEL_CACHE_H */
