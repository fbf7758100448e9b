// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mapping lists: a directory of chunks. Both are copied for each change.
 *
 * Users of images: every mapping in a chunk is a user of its image. If a chunk
 * is in no other directory, its successor takes over the users of the mappings
 * that stay, and freeing the chunk drops the others. So a user is dropped a
 * grace period after the last chunk with it was removed: then no sample is
 * using the image.
 */
#include "maps.h"

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "limits.h"

bool ustack_maps_any_regions __read_mostly;

/*
 * Per CPU, so that changes on many CPUs do not share a cache line; only the sum
 * is meaningful.
 */
static DEFINE_PER_CPU(u64, total_bytes);

/* Called by the writer, or under RCU. */
static struct ustack_chunk *chunk_at(const struct ustack_maps *maps, u32 slot)
{
	return rcu_dereference_raw(maps->slot[slot].chunk);
}

static size_t chunk_bytes(const struct ustack_chunk *chunk)
{
	return struct_size(chunk, m, chunk->room);
}

static struct ustack_chunk *chunk_alloc(u32 room, gfp_t gfp)
{
	struct ustack_chunk *chunk;

	BUILD_BUG_ON(USTACK_CHUNK_MAPPINGS >= 64); /* bits of @drop */
	BUILD_BUG_ON(offsetof(struct ustack_chunk, m[USTACK_CHUNK_MAPPINGS]) >
		     1024);
	chunk = kmalloc(struct_size(chunk, m, room), gfp | __GFP_NOWARN);
	if (!chunk)
		return NULL;
	refcount_set(&chunk->users, 1);
	chunk->nr = 0;
	chunk->room = room;
	chunk->drop = ~0ull;
	this_cpu_add(total_bytes, chunk_bytes(chunk));
	return chunk;
}

/* Frees a chunk that was never published and is no user of images. */
static void chunk_free(struct ustack_chunk *chunk)
{
	this_cpu_sub(total_bytes, chunk_bytes(chunk));
	kfree(chunk);
}

static void free_chunk_rcu(struct rcu_head *rcu)
{
	struct ustack_chunk *chunk = container_of(rcu, struct ustack_chunk, rcu);
	u64 drop = chunk->drop & (BIT_ULL(chunk->nr) - 1);

	for (; drop; drop &= drop - 1)
		ustack_image_put(chunk->m[__ffs64(drop)].image);
	kfree(chunk);
}

static void chunk_put(struct ustack_chunk *chunk)
{
	if (refcount_dec_and_test(&chunk->users)) {
		this_cpu_sub(total_bytes, chunk_bytes(chunk));
		call_rcu(&chunk->rcu, free_chunk_rcu);
	}
}

/*
 * Return: number of the first mapping of a chunk that ends after @addr. At most
 * 5 rounds.
 */
static u32 first_ending_after(const struct ustack_chunk *chunk, u64 addr)
{
	u32 lo = 0, hi = chunk->nr, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (chunk->m[mid].end > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static __always_inline const struct ustack_mapping *
next_mapping(const struct ustack_maps *maps, u64 addr)
{
	const struct ustack_chunk *chunk;
	u32 slot, i;

	if (!maps)
		return NULL;
	/* No chunk is empty: if there is a second round, it is the last. */
	for (slot = ustack_maps_slot(maps, addr); slot < maps->nr_slots; slot++) {
		chunk = chunk_at(maps, slot);
		i = first_ending_after(chunk, addr);
		if (i < chunk->nr)
			return &chunk->m[i];
	}
	return NULL;
}

const struct ustack_mapping *ustack_maps_next(const struct ustack_maps *maps,
					      u64 addr)
{
	return next_mapping(maps, addr);
}

static bool is_region(const struct ustack_mapping *m)
{
	return m->image->id.kind == USTACK_IMAGE_REGION;
}

const struct ustack_mapping *
ustack_maps_next_region(const struct ustack_maps *maps, u64 from)
{
	const struct ustack_mapping *m;

	if (!maps || !maps->regions)
		return NULL;
	for (m = ustack_maps_next(maps, from); m && !is_region(m);)
		m = ustack_maps_next(maps, m->end);
	return m;
}

static bool stays(const struct ustack_mapping *m, enum ustack_keep keep)
{
	if (keep == USTACK_KEEP_NONE)
		return false;
	return is_region(m) == (keep == USTACK_KEEP_REGIONS);
}

bool ustack_maps_overlap(const struct ustack_maps *maps, u64 start, u64 end,
			 enum ustack_keep keep)
{
	const struct ustack_mapping *m;

	/* Inline, because this ends most changes of mappings: those of data. */
	for (m = next_mapping(maps, start); m && m->start < end;
	     m = ustack_maps_next(maps, m->end))
		if (!stays(m, keep))
			return true;
	return false;
}

/* ---- directories ---------------------------------------------------------- */

static size_t maps_bytes(const struct ustack_maps *maps)
{
	return struct_size(maps, slot, maps->max_slots);
}

static struct ustack_maps *maps_alloc(u32 max_slots, gfp_t gfp)
{
	struct ustack_maps *maps;

	BUILD_BUG_ON(offsetof(struct ustack_maps, slot[USTACK_MAX_CHUNKS]) >
		     8192);
	maps = kmalloc(struct_size(maps, slot, max_slots), gfp | __GFP_NOWARN);
	if (!maps)
		return NULL;
	refcount_set(&maps->users, 1);
	maps->nr = 0;
	maps->nr_slots = 0;
	maps->max_slots = max_slots;
	maps->room = 0;
	maps->shared = false;
	maps->regions = false;
	this_cpu_add(total_bytes, maps_bytes(maps));
	return maps;
}

/* Frees only the directory. */
static void maps_free(struct ustack_maps *maps)
{
	this_cpu_sub(total_bytes, maps_bytes(maps));
	kfree_rcu(maps, rcu);
}

struct ustack_maps *ustack_maps_alloc(u32 nr, gfp_t gfp)
{
	struct ustack_maps *maps;

	maps = maps_alloc(DIV_ROUND_UP(nr, USTACK_CHUNK_FILL), gfp);
	if (maps)
		maps->room = nr;
	return maps;
}

bool ustack_maps_append(struct ustack_maps *maps,
			const struct ustack_mapping *mapping, gfp_t gfp)
{
	u32 slot = maps->nr_slots;
	struct ustack_chunk *chunk = slot ? chunk_at(maps, slot - 1) : NULL;

	if (maps->nr == maps->room)
		goto refuse;
	if (!chunk || chunk->nr == chunk->room) {
		chunk = chunk_alloc(min(maps->room - maps->nr, USTACK_CHUNK_FILL),
				    gfp);
		if (!chunk)
			goto refuse;
		maps->slot[slot].from = mapping->start;
		RCU_INIT_POINTER(maps->slot[slot].chunk, chunk);
		maps->nr_slots++;
	}
	chunk->m[chunk->nr++] = *mapping;
	maps->nr++;
	return true;
refuse:
	ustack_image_put(mapping->image);
	return false;
}

void ustack_maps_share(struct ustack_maps *maps)
{
	if (!maps)
		return;
	refcount_inc(&maps->users);
	maps->shared = true;
}

void ustack_maps_put(struct ustack_maps *maps)
{
	u32 i;

	if (!maps || !refcount_dec_and_test(&maps->users))
		return;
	/* Samples that still use the directory can use its chunks as long. */
	for (i = 0; i < maps->nr_slots; i++)
		chunk_put(chunk_at(maps, i));
	maps_free(maps);
}

u64 ustack_maps_total_bytes(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(total_bytes, cpu));
	return sum;
}

/* ---- changes -------------------------------------------------------------- */

/* Return: a part of a mapping. */
static struct ustack_mapping part_of(const struct ustack_mapping *m, u64 start,
				     u64 end)
{
	return (struct ustack_mapping){
		.start = start,
		.end = end,
		.off = m->off + (start - m->start),
		.image = m->image,
	};
}

/*
 * Return: whether @users is 1. Acquires the writes of former users before they
 * dropped theirs: a former user of the directory may have given its chunks to
 * another directory, which the chunks' counts must show.
 */
static bool has_one_user(const refcount_t *users)
{
	if (refcount_read(users) != 1)
		return false;
	smp_acquire__after_ctrl_dep();
	return true;
}

static void hold_images(const struct ustack_mapping *m, u32 nr)
{
	while (nr--)
		ustack_image_hold(m++->image);
}

/*
 * A change within one chunk, as nearly all are: the mappings [@hit, @after) of
 * @chunk become the @nr ones of @m: at most two parts of them and a new one.
 * @chunk become the @nr of @m, two parts of them and a new one.
 *
 * @left: a part is left before the new mapping
 * @right: a part is left after it
 * @regions: the new mapping is a JIT region
 */
struct splice {
	struct ustack_chunk *chunk;
	u32 hit;
	u32 after;
	bool left;
	bool right;
	bool regions;
	u32 nr;
	struct ustack_mapping m[3];
};

/* Return: whether the change fits into one chunk. */
static bool find_splice(struct splice *s, const struct ustack_maps *maps, u32 slot,
			u64 start, u64 end, const struct ustack_mapping *mapping,
			enum ustack_keep keep)
{
	struct ustack_chunk *chunk = chunk_at(maps, slot);
	struct ustack_mapping *m = chunk->m;
	u32 i, nr;

	if (slot + 1 < maps->nr_slots && end > maps->slot[slot + 1].from)
		return false;
	s->chunk = chunk;
	s->hit = first_ending_after(chunk, start);
	for (i = s->hit; i < chunk->nr && m[i].start < end; i++)
		if (stays(&m[i], keep))
			return false;
	s->after = i;
	s->left = s->hit < i && m[s->hit].start < start;
	s->right = s->hit < i && m[i - 1].end > end;
	s->regions = mapping && is_region(mapping);
	s->nr = 0;
	if (s->left)
		s->m[s->nr++] = part_of(&m[s->hit], m[s->hit].start, start);
	if (mapping)
		s->m[s->nr++] = part_of(mapping, start, end);
	if (s->right)
		s->m[s->nr++] = part_of(&m[i - 1], end, m[i - 1].end);

	nr = chunk->nr - (i - s->hit) + s->nr;
	return nr <= USTACK_CHUNK_MAPPINGS &&
	       nr >= (maps->nr_slots > 1 ? USTACK_CHUNK_MIN : 1) &&
	       maps->nr - chunk->nr + nr <= USTACK_MAX_MAPPINGS;
}

/* Passes the users of images from a chunk to the one that replaces it. */
static void pass_users(const struct splice *s, const struct ustack_chunk *new)
{
	struct ustack_chunk *old = s->chunk;

	/* Another directory uses the chunk as well. */
	if (!has_one_user(&old->users)) {
		hold_images(new->m, new->nr);
		return;
	}
	old->drop = BIT_ULL(s->after) - BIT_ULL(s->hit);
	if (s->left)
		old->drop &= ~BIT_ULL(s->hit);
	if (s->right && old->drop & BIT_ULL(s->after - 1))
		old->drop &= ~BIT_ULL(s->after - 1);
	else if (s->right)
		ustack_image_hold(new->m[s->hit + s->nr - 1].image);
	if (s->nr > s->left + s->right)
		ustack_image_hold(new->m[s->hit + s->left].image);
}

/* Return: false without memory. */
static bool splice_chunk(const struct splice *s, struct ustack_maps *maps, u32 slot)
{
	struct ustack_chunk *old = s->chunk, *new;
	u32 rest = old->nr - s->after;

	new = chunk_alloc(s->hit + s->nr + rest, USTACK_GFP_PROCESS);
	if (!new)
		return false;
	new->nr = new->room;
	memcpy(new->m, old->m, s->hit * sizeof(*new->m));
	memcpy(&new->m[s->hit], s->m, s->nr * sizeof(*new->m));
	memcpy(&new->m[s->hit + s->nr], &old->m[s->after],
	       rest * sizeof(*new->m));
	pass_users(s, new);
	maps->nr += new->nr - old->nr;
	maps->regions |= s->regions;
	rcu_assign_pointer(maps->slot[slot].chunk, new);
	chunk_put(old);
	return true;
}

/* ---- changes of the directory ----------------------------------------------- */

/*
 * A change of the directory: the chunks of the slots [@first, @after) are
 * replaced by @chunks new ones for @nr mappings.
 *
 * @mapping: mapping that is still to be put at the range; NULL once it is there
 * @own: the directory has no other users, so chunks without other users can
 *       pass on their users of images
 * @full: there is no room for the second half of a mapping that is split
 * @hit_slot: slot of the first mapping that ends after @start
 * @hit: number of that mapping in its chunk
 * @nr_hit: number of mappings that end after @start and begin before @end, and
 *          are still to be copied
 * @to: slot of the new chunk that is being filled
 */
struct edit {
	u64 start;
	u64 end;
	const struct ustack_mapping *mapping;
	enum ustack_keep keep;
	bool own;
	bool full;
	u32 hit_slot;
	u32 hit;
	u32 nr_hit;
	u32 first;
	u32 after;
	u32 chunks;
	u32 nr;
	struct ustack_slot *to;
};

/*
 * Counts the mappings in the range. Return: number of mappings that will be
 * left of them.
 */
static u32 count_hits(struct edit *e, const struct ustack_maps *maps)
{
	const struct ustack_mapping *m;
	struct ustack_chunk *chunk;
	u32 left = 0, i, slot;

	e->hit_slot = e->first;
	e->hit = first_ending_after(chunk_at(maps, e->first), e->start);
	i = e->hit;
	for (slot = e->first; slot < e->after; slot++, i = 0) {
		chunk = chunk_at(maps, slot);
		for (; i < chunk->nr && chunk->m[i].start < e->end; i++) {
			m = &chunk->m[i];
			e->nr_hit++;
			if (stays(m, e->keep))
				left++;
			else
				left += (m->start < e->start) + (m->end > e->end);
		}
	}
	return left;
}

/* Return: number of mappings in the chunks that change. */
static u32 count_old(const struct edit *e, const struct ustack_maps *maps)
{
	u32 slot, nr = 0;

	for (slot = e->first; slot < e->after; slot++)
		nr += chunk_at(maps, slot)->nr;
	return nr;
}

/*
 * Decides which chunks change, and how many mappings and new chunks there will
 * be.
 */
static void plan(struct edit *e, const struct ustack_maps *maps)
{
	u32 slots = maps ? maps->nr_slots : 0, total = 0, left;

	if (slots) {
		e->first = ustack_maps_slot(maps, e->start);
		e->after = ustack_maps_slot(maps, e->end - 1) + 1;
		left = count_hits(e, maps);
		e->nr = count_old(e, maps) - e->nr_hit + left;
		total = maps->nr - e->nr_hit + left;
	}
	e->full = total > USTACK_MAX_MAPPINGS;
	e->nr -= e->full;
	if (total >= USTACK_MAX_MAPPINGS)
		e->mapping = NULL;
	e->nr += !!e->mapping;

	/* Too few mappings for a chunk: take those of a neighbour, too. */
	if (e->nr < USTACK_CHUNK_MIN && e->after - e->first < slots)
		e->nr += chunk_at(maps, e->first ? --e->first : e->after++)->nr;
	/* A chunk that is not split may be fuller than new ones. */
	if (e->after - e->first == 1 && e->nr && e->nr <= USTACK_CHUNK_MAPPINGS)
		e->chunks = 1;
	else
		e->chunks = DIV_ROUND_UP(e->nr, USTACK_CHUNK_FILL);
}

/*
 * Allocates empty chunks at @e->to, evenly sized. Return: false without memory.
 */
static bool alloc_chunks(struct edit *e)
{
	struct ustack_chunk *chunk;
	u32 i;

	for (i = 0; i < e->chunks; i++) {
		chunk = chunk_alloc(e->nr / e->chunks +
				    (i < e->nr % e->chunks), USTACK_GFP_PROCESS);
		if (!chunk)
			goto undo;
		RCU_INIT_POINTER(e->to[i].chunk, chunk);
	}
	return true;
undo:
	while (i--)
		chunk_free(rcu_dereference_protected(e->to[i].chunk, true));
	return false;
}

/* Copies mappings to the next free places. */
static void fill(struct edit *e, const struct ustack_mapping *m, u32 nr)
{
	struct ustack_chunk *chunk;
	u32 n;

	while (nr) {
		chunk = rcu_dereference_protected(e->to->chunk, true);
		if (!chunk->nr)
			e->to->from = m->start;
		n = min_t(u32, nr, chunk->room - chunk->nr);
		memcpy(&chunk->m[chunk->nr], m, n * sizeof(*m));
		chunk->nr += n;
		if (chunk->nr == chunk->room)
			e->to++;
		m += n;
		nr -= n;
	}
}

static void fill_part(struct edit *e, const struct ustack_mapping *m, u64 start,
		      u64 end)
{
	struct ustack_mapping part = part_of(m, start, end);

	fill(e, &part, 1);
}

static void fill_new(struct edit *e)
{
	if (!e->mapping)
		return;
	ustack_image_hold(e->mapping->image);
	fill_part(e, e->mapping, e->start, e->end);
	e->mapping = NULL;
}

/*
 * Copies the parts of a mapping in the range that stay. Return: number of
 * parts.
 */
static u32 fill_rest(struct edit *e, const struct ustack_mapping *m)
{
	u32 parts = 0;

	if (stays(m, e->keep)) {
		fill(e, m, 1);
		return 1;
	}
	if (m->start < e->start) {
		fill_part(e, m, m->start, e->start);
		parts++;
	}
	fill_new(e);
	if (m->end > e->end && !(parts && e->full)) {
		fill_part(e, m, e->end, m->end);
		parts++;
	}
	return parts;
}

/*
 * Copies the mappings of a slot's chunk that stay, and the new mapping if it
 * belongs there.
 */
static void fill_from(struct edit *e, struct ustack_chunk *chunk, u32 slot)
{
	bool own = e->own && has_one_user(&chunk->users);
	u32 i, after, parts;

	i = slot == e->hit_slot ? e->hit : slot < e->hit_slot ? chunk->nr : 0;
	fill(e, chunk->m, i);
	if (own)
		chunk->drop = 0;
	else
		hold_images(chunk->m, i);
	after = i + min(e->nr_hit, chunk->nr - i);
	e->nr_hit -= after - i;
	for (; i < after; i++) {
		parts = fill_rest(e, &chunk->m[i]);
		if (own && parts)
			parts--;
		else if (own)
			chunk->drop |= BIT_ULL(i);
		while (parts--)
			ustack_image_hold(chunk->m[i].image);
	}
	if (i == chunk->nr)
		return;
	fill_new(e);
	fill(e, &chunk->m[i], chunk->nr - i);
	if (!own)
		hold_images(&chunk->m[i], chunk->nr - i);
}

static void fill_chunks(struct edit *e, const struct ustack_maps *maps)
{
	u32 slot;

	for (slot = e->first; slot < e->after; slot++)
		fill_from(e, chunk_at(maps, slot), slot);
	fill_new(e);
}

/* Copies the slots of chunks that do not change into the new directory. */
static void copy_slots(const struct edit *e, struct ustack_maps *new,
		       const struct ustack_maps *old)
{
	u32 slot, rest = old->nr_slots - e->after;

	memcpy(new->slot, old->slot, e->first * sizeof(*new->slot));
	memcpy(&new->slot[e->first + e->chunks], &old->slot[e->after],
	       rest * sizeof(*new->slot));
	new->nr = old->nr - count_old(e, old) + e->nr;
	if (e->own)
		return;
	for (slot = 0; slot < new->nr_slots; slot++)
		if (slot < e->first || slot >= e->first + e->chunks)
			refcount_inc(&chunk_at(new, slot)->users);
}

/* Replaces the old directory by a new one. */
static bool replace_maps(struct edit *e, struct ustack_maps __rcu **at,
			 struct ustack_maps *old)
{
	u32 i, slots = old ? old->nr_slots : 0;
	struct ustack_maps *new;

	slots += e->chunks - (e->after - e->first);
	new = maps_alloc(slots, USTACK_GFP_PROCESS);
	if (!new)
		return false;
	e->to = &new->slot[e->first];
	if (!alloc_chunks(e)) {
		maps_free(new);
		return false;
	}
	new->nr_slots = slots;
	new->nr = e->nr;
	new->regions = (old && old->regions) ||
		       (e->mapping && is_region(e->mapping));
	fill_chunks(e, old);
	if (old)
		copy_slots(e, new, old);
	/*
	 * The range of the replaced chunks begins where that of the first one
	 * did.
	 */
	if (e->first < e->after && e->chunks)
		new->slot[e->first].from = old->slot[e->first].from;
	rcu_assign_pointer(*at, new);

	if (!e->own) {
		ustack_maps_put(old);
		return true;
	}
	for (i = e->first; i < e->after; i++)
		chunk_put(chunk_at(old, i));
	maps_free(old);
	return true;
}

static bool change_directory(struct ustack_maps __rcu **at,
			     struct ustack_maps *maps, u64 start, u64 end,
			     const struct ustack_mapping *mapping,
			     enum ustack_keep keep)
{
	struct edit e = {
		.start = start,
		.end = end,
		.mapping = mapping,
		.keep = keep,
		/* Only fork raises the count, and its caller is the writer. */
		.own = maps && has_one_user(&maps->users),
	};

	plan(&e, maps);
	/* Nothing was there, and the new mapping is left out. */
	if (!e.nr_hit && !e.mapping)
		return true;
	return replace_maps(&e, at, maps);
}

bool ustack_maps_replace(struct ustack_maps __rcu **at, u64 start, u64 end,
			 const struct ustack_mapping *mapping,
			 enum ustack_keep keep)
{
	struct ustack_maps *maps = rcu_dereference_protected(*at, true);
	struct splice s;
	u32 slot;

	if (mapping && is_region(mapping))
		WRITE_ONCE(ustack_maps_any_regions, true);
	if (start >= end)
		return true;
	if (maps && maps->nr_slots && !maps->shared) {
		slot = ustack_maps_slot(maps, start);
		if (find_splice(&s, maps, slot, start, end, mapping, keep))
			return splice_chunk(&s, maps, slot);
	}
	return change_directory(at, maps, start, end, mapping, keep);
}
