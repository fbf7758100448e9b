/* SPDX-License-Identifier: GPL-2.0-only */
/* Some mapping lists, with functions and macros for several suites. */
#ifndef USTACK_TESTS_LISTS_H
#define USTACK_TESTS_LISTS_H

#include "support.h"

#include "limits.h"
#include "maps.h"

/* How many kmalloc() calls of maps.c succeed before one fails; -1: all. */
extern int test_kmallocs_left;
/*
 * The largest and the sum of the sizes they asked for, since the test last set
 * these to 0.
 */
extern size_t test_kmalloc_largest, test_kmalloc_bytes;

#define PAGE 0x1000ull
#define NR_LISTS 3

static struct ustack_maps __rcu *lists[NR_LISTS];

static inline struct ustack_maps *list_of(u32 list)
{
	/* the test itself is the only writer */
	return rcu_dereference_protected(lists[list], true);
}

static inline u32 nr_of(u32 list)
{
	return list_of(list) ? list_of(list)->nr : 0;
}

static inline const struct ustack_mapping *nth(u32 list, u32 n)
{
	const struct ustack_mapping *m = ustack_maps_next(list_of(list), 0);

	while (m && n--)
		m = ustack_maps_next(list_of(list), m->end);
	return m;
}

/* Maps pages [@start, @end) to @image, with page @off of it first. */
static inline bool map_pages(u32 list, struct ustack_image *image, u64 start,
			     u64 end, u64 off)
{
	struct ustack_mapping m = {
		.start = start * PAGE,
		.end = end * PAGE,
		.off = off * PAGE,
		.image = image,
	};

	return ustack_maps_replace(&lists[list], m.start, m.end, &m,
				   USTACK_KEEP_NONE);
}

static inline bool unmap_pages_but(u32 list, u64 start, u64 end,
				   enum ustack_keep keep)
{
	start *= PAGE;
	end *= PAGE;
	return !ustack_maps_overlap(list_of(list), start, end, keep) ||
	       ustack_maps_replace(&lists[list], start, end, NULL, keep);
}

static inline bool unmap_pages(u32 list, u64 start, u64 end)
{
	return unmap_pages_but(list, start, end, USTACK_KEEP_NONE);
}

static inline void drop_list(u32 list)
{
	struct ustack_maps *maps = list_of(list);

	rcu_assign_pointer(lists[list], NULL);
	ustack_maps_put(maps);
}

static inline void share_list(u32 from, u32 to)
{
	drop_list(to);
	ustack_maps_share(list_of(from));
	rcu_assign_pointer(lists[to], list_of(from));
}

/* A suite's .exit, also after a failed assertion, when lists may be left. */
static inline void drop_lists(struct kunit *test)
{
	u32 i;

	test_kmallocs_left = -1;
	for (i = 0; i < NR_LISTS; i++)
		drop_list(i);
	test_expect_clean(test);
}

/* Whether a chunk's mappings lie in [@from, @to), sorted and disjoint. */
static inline bool is_sorted(const struct ustack_chunk *chunk, u64 from, u64 to)
{
	u32 i;

	for (i = 0; i < chunk->nr; i++) {
		if (chunk->m[i].start < from ||
		    chunk->m[i].end <= chunk->m[i].start)
			return false;
		from = chunk->m[i].end;
	}
	return from <= to;
}

/* Whether a list fulfils all that its writer relies on. */
static inline bool is_sound(u32 list)
{
	const struct ustack_maps *maps = list_of(list);
	const struct ustack_chunk *chunk;
	u64 from, to;
	u32 i, k, nr = 0, small = 0;
	bool regions = false;

	if (!maps)
		return true;
	for (i = 0; i < maps->nr_slots; i++) {
		chunk = rcu_dereference_protected(maps->slot[i].chunk, true);
		from = i ? maps->slot[i].from : 0;
		to = i + 1 < maps->nr_slots ? maps->slot[i + 1].from : ~0ull;
		if (!chunk->nr || chunk->nr != chunk->room ||
		    chunk->nr > USTACK_CHUNK_MAPPINGS ||
		    !is_sorted(chunk, from, to))
			return false;
		nr += chunk->nr;
		small += chunk->nr < USTACK_CHUNK_MIN;
		for (k = 0; k < chunk->nr; k++)
			regions |= chunk->m[k].image->id.kind ==
				   USTACK_IMAGE_REGION;
	}
	return nr == maps->nr && small <= 1 && (!regions || maps->regions) &&
	       maps->nr_slots <= maps->max_slots &&
	       maps->nr_slots <= USTACK_MAX_CHUNKS;
}

/* Expects one entry of a list, given in pages. */
#define EXPECT_MAPPING(test, list, i, s, e, o, im)                           \
	do {                                                                 \
		const struct ustack_mapping *m_ = nth(list, i);              \
		KUNIT_ASSERT_NOT_NULL(test, m_);                             \
		KUNIT_EXPECT_EQ(test, m_->start, (s) * PAGE);                \
		KUNIT_EXPECT_EQ(test, m_->end, (e) * PAGE);                  \
		KUNIT_EXPECT_EQ(test, m_->off, (o) * PAGE);                  \
		KUNIT_EXPECT_PTR_EQ(test, m_->image, im);                    \
	} while (0)

#endif /* USTACK_TESTS_LISTS_H */
