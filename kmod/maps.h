/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps: the executable mappings of one process, or of several processes after
 * fork, in order of address.
 *
 * They are kept in chunks, and a directory says where each chunk begins. A
 * change makes one new chunk and stores its pointer in the directory. The
 * directory is copied, too, when chunks are split or merged, or when it is
 * shared. A change of one mapping copies at most 1 KiB, with the directory 8
 * KiB, however many mappings there are.
 *
 * Samples read directory and chunks under RCU, in NMI, while a change is made.
 * They see a correct state at any moment: a chunk is never changed once a
 * sample can find it, and each change is published by one store of a pointer,
 * to a chunk that covers the same range or to a directory. The replaced chunk
 * or directory is freed a grace period later.
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
 * @image: the image; the chunk is a user of it
 */
struct ustack_mapping {
	u64 start;
	u64 end;
	u64 off;
	struct ustack_image *image;
};

/**
 * struct ustack_chunk - a run of neighbouring mappings
 * @rcu: for freeing after a grace period
 * @users: number of directories that point here
 * @nr: number of mappings in @m, never 0 once published
 * @room: number of mappings that fit into the memory
 * @drop: bit i: freeing the chunk drops the user of @m[i]'s image; cleared by
 *        the writer if a newer chunk has taken over that user
 * @m: the mappings, sorted by address, disjoint; constant once published
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
 * struct ustack_slot - a chunk in a directory
 * @from: the chunk has the mappings of [@from, @from of the next slot);
 *        constant once published. The first slot's is not used: it begins at 0.
 * @chunk: the chunk; written by the writer of the maps unless they are shared,
 *         read under RCU
 */
struct ustack_slot {
	u64 from;
	struct ustack_chunk __rcu *chunk;
};

/**
 * struct ustack_maps - the mappings of one space, or of several after fork
 * @rcu: for freeing after a grace period
 * @users: number of spaces that point here
 * @nr: number of mappings; used only by the writer
 * @nr_slots: number of entries of @slot; constant once published
 * @max_slots: number of slots that fit into the memory
 * @room: number of mappings that may be appended before the maps are published
 * @shared: fork has shared these maps: then @slot does not change any more,
 *          since a sample of one process must not see changes of the other
 * @regions: there has been a JIT region; used only by the writer
 * @slot: the chunks, sorted by address
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
 * Whether any maps have ever had a JIT region. Written before the region is in
 * a list, so each task that changes the mappings of the region's process sees
 * it: both hold its mmap_lock.
 */
extern bool ustack_maps_any_regions;

/* The mappings of a range that stay when it is replaced. */
enum ustack_keep {
	USTACK_KEEP_NONE,
	USTACK_KEEP_REGIONS,	/* only the protection of memory has changed */
	USTACK_KEEP_FILES,	/* a region is removed, nothing is unmapped */
};

/*
 * Return: the slot whose chunk covers @addr, if there are slots. At most 9
 * rounds.
 */
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
 * ustack_maps_find() - find the mapping at an address
 * @maps: the maps, under RCU; may be NULL
 * @addr: the address
 * @hint: the mapping found last, or NULL
 *
 * Context: NMI-safe; at most 14 rounds: 8 for the slot, 6 in its chunk.
 * Return: the mapping, valid under RCU; NULL if there is none.
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
	/* _raw: writers and tests search, too, under their own lock */
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
 * ustack_maps_next() - find the first mapping that ends after an address
 * @maps: the maps, under RCU; may be NULL
 * @addr: the address
 *
 * Calls with the end of the last mapping as @addr iterate over all mappings.
 *
 * Context: NMI-safe; at most 20 rounds: 8 for the slot, 6 in each of two chunks.
 * Return: the mapping, valid under RCU; NULL if there is none.
 */
const struct ustack_mapping *ustack_maps_next(const struct ustack_maps *maps,
					      u64 addr);

/*
 * Return: the first JIT region that ends after @from. Context: that of the
 * writer.
 */
const struct ustack_mapping *
ustack_maps_next_region(const struct ustack_maps *maps, u64 from);

/**
 * ustack_maps_overlap() - whether a range has mappings that do not stay
 * @maps: the maps, under RCU; may be NULL
 * @start: start of the range
 * @end: end of the range
 * @keep: the mappings that stay
 *
 * Context: any.
 */
bool ustack_maps_overlap(const struct ustack_maps *maps, u64 start, u64 end,
			 enum ustack_keep keep);

/* Makes empty maps with room for @nr mappings, at most USTACK_MAX_MAPPINGS. */
struct ustack_maps *ustack_maps_alloc(u32 nr, gfp_t gfp);

/**
 * ustack_maps_append() - add a mapping after all others
 * @maps: the maps, not published yet
 * @mapping: the mapping; the user of its image is consumed, also on failure
 * @gfp: flags for allocating a chunk
 *
 * Context: any but NMI and hard interrupt.
 * Return: false without room or memory.
 */
bool ustack_maps_append(struct ustack_maps *maps,
			const struct ustack_mapping *mapping, gfp_t gfp);

/**
 * ustack_maps_replace() - replace the mappings of a range by another one, or by none
 * @at: where samples find the maps; may point to NULL
 * @start: start of the range
 * @end: end of the range
 * @mapping: the new mapping, whose user the caller keeps; NULL: no mapping that
 *           could have a table
 * @keep: the mappings that stay, if @mapping is NULL
 *
 * At the limit, new mappings are left out: @mapping, or the second half of one
 * that is split; they have no table. Older mappings stay, among them the
 * process's program and libraries.
 *
 * Context: any but NMI and hard interrupt, one writer at a time; does not sleep.
 * Return: false without memory; then nothing has changed.
 */
bool ustack_maps_replace(struct ustack_maps __rcu **at, u64 start, u64 end,
			 const struct ustack_mapping *mapping,
			 enum ustack_keep keep);

/* Adds a space, in fork. Context: that of the writer. May be NULL. */
void ustack_maps_share(struct ustack_maps *maps);

/*
 * Drops a space; the last one frees the maps. New samples must not find them.
 * May be NULL.
 */
void ustack_maps_put(struct ustack_maps *maps);

/* Return: bytes of all maps. */
u64 ustack_maps_total_bytes(void);

#endif /* USTACK_MAPS_H */
