/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Space: one mm, as far as unwinding is concerned: its executable mappings in
 * order of address. Samples read it under RCU; it is changed only by whoever
 * holds the mm's mmap_lock, so that it is never older than the mm itself.
 *
 * Life: from execve, fork or the first sight of a running task, to exit_mmap().
 * The mm pointer is a key and is never followed.
 */
#ifndef USTACK_SPACE_H
#define USTACK_SPACE_H

#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>

#include "image.h"

/**
 * struct ustack_mapping - one executable mapping
 * @start: first address
 * @end: first address behind it
 * @off: offset of @start in the image
 * @image: the image; the list holds a user
 */
struct ustack_mapping {
	u64 start;
	u64 end;
	u64 off;
	struct ustack_image *image;
};

/**
 * struct ustack_maps - the mappings of one or, after fork, several spaces
 * @rcu: for the last put
 * @users: spaces that point here
 * @nr: number of @m
 * @nr_regions: of these, JIT regions
 * @m: sorted by address, disjoint; immutable
 */
struct ustack_maps {
	struct rcu_head rcu;
	refcount_t users;
	u32 nr;
	u32 nr_regions;
	struct ustack_mapping m[];
};

/**
 * struct ustack_space - one mm
 * @node: in the hash; the bucket's lock
 * @mm: the key
 * @maps: written under the bucket's lock and mmap_lock, read under RCU
 * @starting: set from execve's new mm to the first return to user mode: until
 *            then the task's registers belong to the old program
 * @unread: no worker may read some of its files: the process does when it maps
 *          something next; written under mmap_lock, a hint
 * @rcu: for the free
 */
struct ustack_space {
	struct hlist_node node;
	struct mm_struct *mm;
	struct ustack_maps __rcu *maps;
	bool starting;
	bool unread;
	struct rcu_head rcu;
};

void ustack_space_init(void);

/* Forgets all spaces. No hook may run any more. Context: process. */
void ustack_space_exit(void);

/**
 * ustack_space_find() - the space of an mm
 * @mm: the key; may be NULL
 *
 * Context: NMI-safe, under rcu_read_lock().
 * Return: the space, valid under RCU; NULL if the mm is not known.
 */
struct ustack_space *ustack_space_find(const struct mm_struct *mm);

/**
 * ustack_maps_find() - the mapping at an address
 * @maps: under RCU; may be NULL
 * @addr: the address
 * @hint: the mapping found last, or NULL
 *
 * Context: NMI-safe; at most 13 rounds.
 * Return: the mapping, valid as long as @maps; NULL.
 */
static __always_inline const struct ustack_mapping *
ustack_maps_find(const struct ustack_maps *maps, u64 addr,
		 const struct ustack_mapping *hint)
{
	u32 lo = 0, hi, mid;

	if (likely(hint && addr - hint->start < hint->end - hint->start))
		return hint;
	if (unlikely(!maps))
		return NULL;
	hi = maps->nr;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (addr < maps->m[mid].start)
			hi = mid;
		else if (addr >= maps->m[mid].end)
			lo = mid + 1;
		else
			return &maps->m[mid];
	}
	return NULL;
}

/**
 * ustack_space_create() - know an mm
 * @mm: the key
 * @maps: its mappings, consumed; may be NULL
 * @starting: see struct ustack_space
 * @gfp: how memory may be had
 *
 * Replaces what was known of @mm.
 *
 * Context: any but NMI and hard interrupt, and nobody changes the mm's mappings
 * meanwhile.
 * Return: 0 or -ENOMEM; then the mm is not known.
 */
int ustack_space_create(struct mm_struct *mm, struct ustack_maps *maps,
			bool starting, gfp_t gfp);

/**
 * ustack_space_add() - know an mm, unless it is known
 * @mm: the key
 * @maps: its mappings, consumed
 *
 * What was made meanwhile stays: execve's space of a new mm says more than a list that
 * was read before it.
 *
 * Context: process, may sleep; under mmap_lock.
 * Return: 0 in both cases; -ENOMEM.
 */
int ustack_space_add(struct mm_struct *mm, struct ustack_maps *maps);

/* The task has entered its new program. Context: process. */
void ustack_space_started(const struct mm_struct *mm);

/* Forgets an mm; nothing happens if it is not known. Context: as create. */
void ustack_space_forget(const struct mm_struct *mm);

/* What of a range stays whatever happens to it. */
enum ustack_keep {
	USTACK_KEEP_NONE,
	USTACK_KEEP_REGIONS,	/* only the protection of memory has changed */
	USTACK_KEEP_FILES,	/* a region is taken away, nothing is unmapped */
};

/**
 * ustack_space_replace() - something is now mapped at a range, or nothing
 * @mm: the key; nothing happens if it is not known
 * @start: the range
 * @end: its end
 * @mapping: what is there now, the caller keeps its user; NULL: nothing that
 *           could have a table
 * @keep: what stays
 *
 * Without memory for the new list the mm is forgotten, and so learned again
 * when it is sampled next: no list at all is better than a stale one.
 *
 * Context: as ustack_space_create(); memory without sleeping.
 */
void ustack_space_replace(const struct mm_struct *mm, u64 start, u64 end,
			  const struct ustack_mapping *mapping,
			  enum ustack_keep keep);

/**
 * ustack_space_next_region() - go through an mm's JIT regions
 * @mm: the key
 * @from: lowest address
 * @start: out: the first region that ends above @from
 * @end: out: its end
 *
 * Context: any but NMI; under mmap_lock. Without regions nothing is searched.
 * Return: whether there is one.
 */
bool ustack_space_next_region(const struct mm_struct *mm, u64 from, u64 *start,
			      u64 *end);

/* A child gets its parent's mappings. Context: as ustack_space_create(). */
void ustack_space_fork(const struct mm_struct *parent, struct mm_struct *child);

/* An empty list with room for @nr mappings. */
struct ustack_maps *ustack_maps_alloc(u32 nr, gfp_t gfp);

/* A user less; the last frees the list and its users of images. */
void ustack_maps_put(struct ustack_maps *maps);

struct ustack_space_totals {
	u32 spaces;
	u64 bytes;
};

void ustack_space_get_totals(struct ustack_space_totals *ret);

#endif /* USTACK_SPACE_H */
