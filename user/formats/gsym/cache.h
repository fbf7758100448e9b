/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many lookups in a GSYM file, in functions that were asked for before: a profile's. A
 * lookup goes through what its function has up to the address; here that is decoded
 * once, the second time that the function is asked for, and searched.
 *
 *	err = gsym_cache_new(g, 16 << 20, &cache);
 *	n = gsym_cache_lookup(cache, addr, frames, GSYM_MAX_FRAMES);
 *	gsym_cache_free(cache);
 *
 * Addresses in ascending order, or sorted by anything that has them near each other,
 * need little memory; those in any order as much as their functions take, about three
 * times what they take in the file. When there is no more, all of them are forgotten.
 *
 * Context: one thread at a time for each cache; any number of caches for a file.
 */
#ifndef USTACK_USER_GSYM_CACHE_H
#define USTACK_USER_GSYM_CACHE_H

#include "formats/gsym/reader.h"

struct gsym_cache;

/**
 * gsym_cache_new() - an empty one
 * @g: open; borrowed until gsym_cache_free()
 * @bytes: what decoded functions may take, beside the largest one while it is decoded;
 *         memory is used as it is needed. Below GSYM_CACHE_LEAST it is that
 * @ret: on success: freed by gsym_cache_free()
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_cache_new(const struct gsym *g, size_t bytes, struct gsym_cache **ret);

#define GSYM_CACHE_LEAST (64u << 10)

/* NULL is fine. */
void gsym_cache_free(struct gsym_cache *c);

/**
 * gsym_cache_lookup() - the functions at an address
 * @c: the cache
 * @addr: link-time address
 * @ret: see gsym_lookup()
 * @room: see gsym_lookup()
 *
 * Return: what gsym_lookup() returns, with the same frames, which do not point into the
 * cache.
 */
int gsym_cache_lookup(struct gsym_cache *c, uint64_t addr, struct gsym_frame *ret,
		      unsigned int room);

/**
 * gsym_cache_lookup_function() - the same, and the function that has the address
 * @c: the cache
 * @addr: link-time address
 * @f: of gsym_find(); its @name is NULL where that finds none
 * @ret: see gsym_lookup()
 * @room: see gsym_lookup()
 *
 * Return: see gsym_cache_lookup().
 */
int gsym_cache_lookup_function(struct gsym_cache *c, uint64_t addr, struct gsym_function *f,
		    struct gsym_frame *ret, unsigned int room);

#define GSYM_CACHE_PREFETCHED 32u

/**
 * gsym_cache_prefetch() - say which addresses are looked up next
 * @c: the cache
 * @addrs: those
 * @nr: of @addrs; up to GSYM_CACHE_PREFETCHED are of use
 *
 * A lookup waits for memory several times, one after the other: here all of them wait
 * together. Answers are the same with and without it.
 */
void gsym_cache_prefetch(const struct gsym_cache *c, const uint64_t *addrs, unsigned int nr);

#endif /* USTACK_USER_GSYM_CACHE_H */
