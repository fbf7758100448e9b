/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps: the executable mappings of one process in order of address, or of
 * several processes after fork.
 *
 * They are kept in chunks, and a directory says where each chunk begins. A
 * change makes one new chunk and stores its pointer in the directory. The
 * directory is copied too when chunks are split or merged, or when it is shared.
 * A change of one mapping copies at most 1 KiB, with the directory 8 KiB, however
 * many mappings there are.
 *
 * Samples read directory and chunks under RCU, in NMI, while a change is made.
 * What they see is right at any moment: a chunk is never changed once a sample
 * can find it, and each change is published by one store of a pointer, to a
 * chunk that covers the same range or to a directory. What the store replaces
 * is freed a grace period later.
 */
#ifndef USTACK_MAPS_H
#define USTACK_MAPS_H

#include <linux/rcupdate.h>
#include <linux/refcount.h>

#include "image.h"

/**
 * struct ustack_mapping - one executable mapping
 * @start: first address
 * @end: first address after it
 * @off: offset of @start in the image
 * @image: the image; the chunk holds a user
 */
struct ustack_mapping {
	u64 start;
	u64 end;
	u64 off;
	struct ustack_image *image;
};

/**
 * struct ustack_chunk - some mappings, next to each other in the list
 * @rcu: for the last put
 * @users: directories that point here
 * @nr: number of @m, never 0 once published
 * @room: mappings that memory was allocated for
 * @drop: bit i: freeing the chunk drops the image user of @m[i]; cleared by the
 *        writer where a newer chunk has taken over that user
 * @m: sorted by address, disjoint; constant once published
 */
struct ustack_chunk {
	struct rcu_head rcu;
	refcount_t users;
	u16 nr;
	u16 room;
	u64 drop;
	struct ustack_mapping m[];
};

/**
 * struct ustack_slot - where a chunk begins
 * @from: the chunk has the mappings of [@from, @from of the next slot); constant
 *        once published. The first slot's is not looked at: it begins at 0.
 * @chunk: written by the writer of the maps unless they are shared, read under RCU
 */
struct ustack_slot {
	u64 from;
	struct ustack_chunk __rcu *chunk;
};

/**
 * struct ustack_maps - the mappings of one space, or of several after fork
 * @rcu: for the free
 * @users: spaces that point here
 * @nr: number of mappings; for the writer only
 * @nr_slots: number of @slot; constant once published
 * @max_slots: slots that memory was allocated for
 * @room: mappings that there may be before the maps are published
 * @shared: has been shared by fork: then @slot does not change any more, since
 *          a sample of one process must not see the changes of the other
 * @regions: there has been a JIT region; for the writer only
 * @slot: sorted by address
 */
struct ustack_maps {
	struct rcu_head rcu;
	refcount_t users;
	u32 nr;
	u16 nr_slots;
	u16 max_slots;
	u16 room;
	bool shared;
	bool regions;
	struct ustack_slot slot[];
};

/*
 * Whether any maps have ever had a JIT region. Written before the region is in a list, and so
 * seen by whoever changes the mappings of a process that has it: both hold its mmap_lock.
 */
extern bool ustack_maps_any_regions;

/* What of a range stays whatever happens to it. */
enum ustack_keep {
	USTACK_KEEP_NONE,
	USTACK_KEEP_REGIONS,	/* only the protection of memory has changed */
	USTACK_KEEP_FILES,	/* a region is taken away, nothing is unmapped */
};

/* The slot whose chunk covers @addr, if there are slots. At most 9 rounds. */
static __always_inline u32 ustack_maps_slot(const struct ustack_maps *maps,
					    u64 addr)
{
	u32 lo = 0, hi = maps->nr_slots, mid;

	while (hi - lo > 1) {
		mid = (lo + hi) / 2;
		if (addr < maps->slot[mid].from)
			hi = mid;
		else
			lo = mid;
	}
	return lo;
}

/**
 * ustack_maps_find() - the mapping at an address
 * @maps: under RCU; may be NULL
 * @addr: the address
 * @hint: the mapping found last, or NULL
 *
 * Context: NMI-safe; at most 14 rounds: 8 for the slot, 6 in its chunk.
 * Return: the mapping, valid under RCU; NULL.
 */
static __always_inline const struct ustack_mapping *
ustack_maps_find(const struct ustack_maps *maps, u64 addr,
		 const struct ustack_mapping *hint)
{
	const struct ustack_chunk *chunk;
	u32 lo = 0, hi, mid;

	if (likely(hint && addr - hint->start < hint->end - hint->start))
		return hint;
	if (unlikely(!maps || !maps->nr_slots))
		return NULL;
	/* _raw: writers and tests look too, under their own lock */
	chunk = rcu_dereference_raw(maps->slot[ustack_maps_slot(maps, addr)].chunk);
	hi = chunk->nr;
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (addr < chunk->m[mid].start)
			hi = mid;
		else if (addr >= chunk->m[mid].end)
			lo = mid + 1;
		else
			return &chunk->m[mid];
	}
	return NULL;
}

/**
 * ustack_maps_next() - the first mapping that ends after an address
 * @maps: under RCU; may be NULL
 * @addr: the address
 *
 * With the end of the last mapping as @addr, goes through all of them.
 *
 * Context: NMI-safe; at most 20 rounds: 8 for the slot, 6 in each of two chunks.
 * Return: the mapping, valid under RCU; NULL.
 */
const struct ustack_mapping *ustack_maps_next(const struct ustack_maps *maps,
					      u64 addr);

/* The first JIT region that ends after @from. Context: that of the writer. */
const struct ustack_mapping *
ustack_maps_next_region(const struct ustack_maps *maps, u64 from);

/**
 * ustack_maps_overlap() - whether a range has mappings that do not stay
 * @maps: under RCU; may be NULL
 * @start: the range
 * @end: its end
 * @keep: what stays
 *
 * Context: any.
 */
bool ustack_maps_overlap(const struct ustack_maps *maps, u64 start, u64 end,
			 enum ustack_keep keep);

/* Empty maps with room for @nr mappings, at most USTACK_MAX_MAPPINGS. */
struct ustack_maps *ustack_maps_alloc(u32 nr, gfp_t gfp);

/**
 * ustack_maps_append() - add a mapping after all others
 * @maps: not published yet
 * @mapping: its image's user is consumed, in either case
 * @gfp: how memory may be had
 *
 * Context: any but NMI and hard interrupt.
 * Return: false without room or memory.
 */
bool ustack_maps_append(struct ustack_maps *maps,
			const struct ustack_mapping *mapping, gfp_t gfp);

/**
 * ustack_maps_replace() - something is now mapped at a range, or nothing
 * @at: where samples find the maps; may point to NULL
 * @start: the range
 * @end: its end
 * @mapping: what is there now, the caller keeps its user; NULL: nothing that
 *           could have a table
 * @keep: what stays, if @mapping is NULL
 *
 * At the limit it is what would be new that is left out, @mapping or the second
 * half of one that is split: no mapping there, no table. What the process had
 * before, its program and libraries among it, stays.
 *
 * Context: any but NMI and hard interrupt, one writer at a time; does not sleep.
 * Return: false without memory; then nothing has changed.
 */
bool ustack_maps_replace(struct ustack_maps __rcu **at, u64 start, u64 end,
			 const struct ustack_mapping *mapping,
			 enum ustack_keep keep);

/* One more space, by fork. Context: that of the writer. May be NULL. */
void ustack_maps_share(struct ustack_maps *maps);

/* One space less; the last one frees. Not found by new samples. May be NULL. */
void ustack_maps_put(struct ustack_maps *maps);

/* Memory of all maps, in bytes. */
u64 ustack_maps_total_bytes(void);

#endif /* USTACK_MAPS_H */
