// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the functions in lists.h, on which other suites rely. */
#include "lists.h"

/* Enough mappings of two pages, two pages apart, for several chunks. */
#define NR_PIECES (4 * USTACK_CHUNK_MAPPINGS)

static void fill(struct kunit *test, struct ustack_image *image)
{
	u64 i;

	for (i = 0; i < NR_PIECES; i++)
		KUNIT_ASSERT_TRUE(test, map_pages(0, image, 4 * i, 4 * i + 2, i));
	KUNIT_ASSERT_GE(test, list_of(0)->nr_slots, 3);
}

static struct ustack_chunk *chunk_of(u32 slot)
{
	return rcu_dereference_protected(list_of(0)->slot[slot].chunk, true);
}

static void lists_edit(struct kunit *test)
{
	struct ustack_image *image = test_image(test, 1);

	KUNIT_EXPECT_NULL(test, list_of(0));
	KUNIT_EXPECT_EQ(test, nr_of(0), 0);
	KUNIT_EXPECT_NULL(test, nth(0, 0));
	KUNIT_EXPECT_TRUE(test, is_sound(0));
	fill(test, image);
	KUNIT_EXPECT_EQ(test, nr_of(0), NR_PIECES);
	EXPECT_MAPPING(test, 0, 0, 0, 2, 0, image);
	EXPECT_MAPPING(test, 0, NR_PIECES - 1, 4 * (NR_PIECES - 1),
		       4 * (NR_PIECES - 1) + 2, NR_PIECES - 1, image);
	KUNIT_EXPECT_NULL(test, nth(0, NR_PIECES));
	/* a gap; then the second half of one mapping and all of the next */
	KUNIT_EXPECT_TRUE(test, unmap_pages(0, 2, 4));
	KUNIT_EXPECT_EQ(test, nr_of(0), NR_PIECES);
	KUNIT_EXPECT_TRUE(test, unmap_pages(0, 5, 10));
	KUNIT_EXPECT_EQ(test, nr_of(0), NR_PIECES - 1);
	EXPECT_MAPPING(test, 0, 1, 4, 5, 1, image);
	EXPECT_MAPPING(test, 0, 2, 12, 14, 3, image);
	KUNIT_EXPECT_TRUE(test, is_sound(0));
	ustack_image_put(image);
}

static void lists_share(struct kunit *test)
{
	struct ustack_image *image = test_image(test, 1);

	KUNIT_ASSERT_TRUE(test, map_pages(0, image, 1, 2, 0));
	KUNIT_ASSERT_TRUE(test, map_pages(1, image, 7, 8, 0));
	share_list(0, 1);
	KUNIT_EXPECT_PTR_EQ(test, list_of(1), list_of(0));
	drop_list(0);
	KUNIT_EXPECT_NULL(test, list_of(0));
	EXPECT_MAPPING(test, 1, 0, 1, 2, 0, image);
	drop_list(1);
	/* the caller's own reference is left */
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(image), 1);
	ustack_image_put(image);
}

/*
 * Changes a field: the list must no longer be sound. Then restores it: the list
 * must be sound again.
 */
#define EXPECT_SEEN(test, field, value)                                      \
	do {                                                                 \
		typeof(field) *field_ = &(field), was_ = *field_;            \
		*field_ = (value);                                           \
		KUNIT_EXPECT_FALSE_MSG(test, is_sound(0), "%s = %s", #field, \
				       #value);                              \
		*field_ = was_;                                              \
		KUNIT_EXPECT_TRUE(test, is_sound(0));                        \
	} while (0)

/* Breaks each rule of a list in turn. Nobody else reads the list. */
static void lists_unsound(struct kunit *test)
{
	struct ustack_image *image = test_image(test, 1);
	struct ustack_chunk *chunk;
	struct ustack_maps *maps;
	u64 from;

	fill(test, image);
	maps = list_of(0);
	chunk = chunk_of(1);
	from = maps->slot[1].from;
	KUNIT_ASSERT_TRUE(test, is_sound(0));

	EXPECT_SEEN(test, maps->nr, maps->nr + 1);
	EXPECT_SEEN(test, maps->max_slots, maps->nr_slots - 1);
	/* a chunk that begins before its slot does, or ends after it */
	EXPECT_SEEN(test, maps->slot[1].from, chunk->m[0].start + PAGE);
	EXPECT_SEEN(test, maps->slot[1].from, from - 4 * PAGE);
	EXPECT_SEEN(test, chunk->room, chunk->nr + 1);
	EXPECT_SEEN(test, chunk->nr, 0);
	/* mappings that are empty, overlap, or are not sorted */
	EXPECT_SEEN(test, chunk->m[1].end, chunk->m[1].start);
	EXPECT_SEEN(test, chunk->m[1].end, chunk->m[2].start + PAGE);
	EXPECT_SEEN(test, chunk->m[2].start, chunk->m[1].start);
	/* a region that the list does not know about */
	EXPECT_SEEN(test, chunk->m[1].image->id.kind, USTACK_IMAGE_REGION);
	ustack_image_put(image);
}

/* One chunk may be small; two would have been merged. */
static void lists_small(struct kunit *test)
{
	struct ustack_image *image = test_image(test, 1);
	struct ustack_maps *maps;
	u32 i, was[2], nr;

	fill(test, image);
	maps = list_of(0);
	nr = maps->nr;
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_TRUE(test, is_sound(0));
		was[i] = chunk_of(i)->nr;
		chunk_of(i)->nr = USTACK_CHUNK_MIN - 1;
		chunk_of(i)->room = USTACK_CHUNK_MIN - 1;
		maps->nr -= was[i] - (USTACK_CHUNK_MIN - 1);
	}
	KUNIT_EXPECT_FALSE(test, is_sound(0));
	for (i = 0; i < 2; i++) {
		chunk_of(i)->nr = was[i];
		chunk_of(i)->room = was[i];
	}
	maps->nr = nr;
	KUNIT_EXPECT_TRUE(test, is_sound(0));
	ustack_image_put(image);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(lists_edit),
	KUNIT_CASE(lists_share),
	KUNIT_CASE(lists_unsound),
	KUNIT_CASE(lists_small),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_lists",
	.exit = drop_lists,
	.test_cases = cases,
};

kunit_test_suite(suite);
