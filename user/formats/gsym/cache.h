/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For many lookups in one GSYM file that meet the same functions again, such as
 * those of a profile. A plain lookup decodes its function up to the address.
 * This cache decodes the whole function when it is asked for the second time,
 * and then searches the result.
 *
 *	err = gsym_cache_new(g, 16 << 20, &cache);
 *	n = gsym_cache_lookup(cache, addr, frames, GSYM_MAX_FRAMES);
 *	gsym_cache_free(cache);
 *
 * If addresses come in ascending order, or near addresses come together, little
 * memory is needed. In random order the cache needs room for all functions,
 * about three times their size in the file. If the memory is full, all
 * functions are discarded.
 *
 * Context: one thread at a time for each cache; any number of caches for one
 * file.
 */
#ifndef USTACK_USER_GSYM_CACHE_H
#define USTACK_USER_GSYM_CACHE_H

#include "formats/gsym/reader.h"

struct gsym_cache;

/**
 * gsym_cache_new() - make an empty cache
 * @g: open; borrowed until gsym_cache_free()
 * @bytes: limit for decoded functions, without the largest one while it is
 *         being decoded; memory is used as it is needed. At least
 *         GSYM_CACHE_LEAST is used
 * @ret: the cache; freed by gsym_cache_free()
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_cache_new(const struct gsym *g, size_t bytes, struct gsym_cache **ret);

#define GSYM_CACHE_LEAST (64u << 10)

/* @c may be NULL. */
void gsym_cache_free(struct gsym_cache *c);

/**
 * gsym_cache_lookup() - find the functions at an address
 * @c: the cache
 * @addr: link-time address
 * @ret: see gsym_lookup()
 * @room: see gsym_lookup()
 *
 * Return: what gsym_lookup() returns, with the same frames, which do not point
 * into the cache.
 */
int gsym_cache_lookup(struct gsym_cache *c, uint64_t addr, struct gsym_frame *ret,
		      unsigned int room);

/**
 * gsym_cache_lookup_function() - the same, and the function that contains the
 * address
 * @c: the cache
 * @addr: link-time address
 * @f: result of gsym_find(); its @name is NULL if there is none
 * @ret: see gsym_lookup()
 * @room: see gsym_lookup()
 *
 * Return: see gsym_cache_lookup().
 */
int gsym_cache_lookup_function(struct gsym_cache *c, uint64_t addr, struct gsym_function *f,
		    struct gsym_frame *ret, unsigned int room);

#define GSYM_CACHE_PREFETCHED 32u

/**
 * gsym_cache_prefetch() - announce the addresses that are looked up next
 * @c: the cache
 * @addrs: the addresses
 * @nr: number of @addrs; up to GSYM_CACHE_PREFETCHED are used
 *
 * A lookup waits for memory several times, one after the other. This starts all
 * these reads at the same time. It does not change the answers.
 */
void gsym_cache_prefetch(const struct gsym_cache *c, const uint64_t *addrs, unsigned int nr);

#endif /* USTACK_USER_GSYM_CACHE_H */
