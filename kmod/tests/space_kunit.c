// SPDX-License-Identifier: GPL-2.0
/*
 * Spaces and mapping lists: every edit, sharing by fork, refused memory, and
 * readers under RCU while a writer edits.
 */
#include "support.h"

#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/prandom.h>
#include <linux/rculist.h>
#include <linux/slab.h>

/* kmalloc() calls of space.c that succeed before one fails; -1: all do. Lists
 * made with GFP_ATOMIC and spaces come from kmalloc().
 */
static int kmallocs_left = -1;

static void *failing_kmalloc(size_t size, gfp_t gfp)
{
	if (!kmallocs_left)
		return NULL;
	if (kmallocs_left > 0)
		kmallocs_left--;
	return kmalloc(size, gfp);
}

#undef kmalloc
#define kmalloc failing_kmalloc
#include "../space.c"
#undef kmalloc

/* mm_structs are keys that nobody follows. */
static char mms[64];
#define MM(n) ((struct mm_struct *)&mms[n])

#define PAGE 0x1000ull

static const struct ustack_maps *maps_of_mm(const struct mm_struct *mm)
{
	const struct ustack_space *space = ustack_space_find(mm);

	/* the only writer is the test itself */
	return space ? rcu_dereference_protected(space->maps, true) : NULL;
}

static u32 nr_of_mm(const struct mm_struct *mm)
{
	const struct ustack_maps *maps = maps_of_mm(mm);

	return maps ? maps->nr : 0;
}

static bool known(const struct mm_struct *mm)
{
	return ustack_space_find(mm);
}

/* Maps @image's bytes from page @off on at the pages [@start, @end). */
static void map_pages(struct mm_struct *mm, struct ustack_image *image,
		      u64 start, u64 end, u64 off)
{
	struct ustack_mapping m = {
		.start = start * PAGE,
		.end = end * PAGE,
		.off = off * PAGE,
		.image = image,
	};

	ustack_space_replace(mm, m.start, m.end, &m, USTACK_KEEP_NONE);
}

static void unmap_pages(struct mm_struct *mm, u64 start, u64 end)
{
	ustack_space_replace(mm, start * PAGE, end * PAGE, NULL, USTACK_KEEP_NONE);
}

static void create(struct kunit *test, struct mm_struct *mm)
{
	KUNIT_ASSERT_EQ(test, 0,
			ustack_space_create(mm, NULL, false, GFP_KERNEL));
}

/* One entry of a list, in pages. */
#define EXPECT_MAPPING(test, mm, i, s, e, o, im)                             \
	do {                                                                 \
		const struct ustack_maps *l_ = maps_of_mm(mm);               \
		KUNIT_ASSERT_NOT_NULL(test, l_);                             \
		KUNIT_ASSERT_GT(test, l_->nr, i);                            \
		KUNIT_EXPECT_EQ(test, l_->m[i].start, (s) * PAGE);           \
		KUNIT_EXPECT_EQ(test, l_->m[i].end, (e) * PAGE);             \
		KUNIT_EXPECT_EQ(test, l_->m[i].off, (o) * PAGE);             \
		KUNIT_EXPECT_PTR_EQ(test, l_->m[i].image, im);               \
	} while (0)

static void space_life(struct kunit *test)
{
	struct ustack_space_totals totals;

	KUNIT_EXPECT_FALSE(test, known(MM(0)));
	KUNIT_EXPECT_FALSE(test, known(NULL));
	create(test, MM(0));
	create(test, MM(1));
	KUNIT_EXPECT_TRUE(test, known(MM(0)));
	KUNIT_EXPECT_NULL(test, maps_of_mm(MM(0)));
	ustack_space_get_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.spaces, 2);
	/* made again, as by execve: still one */
	create(test, MM(0));
	ustack_space_get_totals(&totals);
	KUNIT_EXPECT_EQ(test, totals.spaces, 2);
	ustack_space_forget(MM(0));
	ustack_space_forget(MM(0));
	KUNIT_EXPECT_FALSE(test, known(MM(0)));
	KUNIT_EXPECT_TRUE(test, known(MM(1)));
	ustack_space_forget(MM(1));
}

static void space_starting(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0,
			ustack_space_create(MM(0), NULL, true, GFP_KERNEL));
	KUNIT_EXPECT_TRUE(test, ustack_space_find(MM(0))->starting);
	ustack_space_started(MM(1));
	KUNIT_EXPECT_TRUE(test, ustack_space_find(MM(0))->starting);
	ustack_space_started(MM(0));
	KUNIT_EXPECT_FALSE(test, ustack_space_find(MM(0))->starting);
	ustack_space_forget(MM(0));
}

static void space_exit_forgets_all(struct kunit *test)
{
	struct ustack_image *image = test_image(test, 1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mms); i++) {
		create(test, MM(i));
		map_pages(MM(i), image, 1, 2, 0);
	}
	ustack_image_put(image);
	ustack_space_exit();
	for (i = 0; i < ARRAY_SIZE(mms); i++)
		KUNIT_EXPECT_FALSE(test, known(MM(i)));
}

static void maps_find(struct kunit *test)
{
	struct ustack_image *image = test_image(test, 1);
	const struct ustack_mapping *m;
	const struct ustack_maps *maps;
	u64 i;

	KUNIT_EXPECT_NULL(test, ustack_maps_find(NULL, 0, NULL));
	create(test, MM(0));
	for (i = 0; i < 9; i++)
		map_pages(MM(0), image, 4 * i + 2, 4 * i + 4, i);
	maps = maps_of_mm(MM(0));
	KUNIT_ASSERT_NOT_NULL(test, maps);
	KUNIT_ASSERT_EQ(test, maps->nr, 9);
	KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, 0, NULL));
	KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, ~0ull, NULL));
	for (i = 0; i < 9; i++) {
		u64 start = (4 * i + 2) * PAGE, end = (4 * i + 4) * PAGE;

		m = &maps->m[i];
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(maps, start, NULL));
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(maps, end - 1, NULL));
		KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, start - 1, NULL));
		KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, end, NULL));
		/* a hint is right or is not used */
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(maps, start, m));
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(NULL, end - 1, m));
		KUNIT_EXPECT_PTR_EQ(test, m,
				    ustack_maps_find(maps, start, &maps->m[8 - i]));
		KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, start - 1, m));
		KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, end, m));
	}
	ustack_space_forget(MM(0));
	ustack_image_put(image);
}

static void list_add_new(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);

	/* nobody has asked about this mm: nothing happens */
	map_pages(MM(0), a, 10, 12, 0);
	KUNIT_EXPECT_FALSE(test, known(MM(0)));
	KUNIT_EXPECT_EQ(test, test_users(a), 1);

	create(test, MM(0));
	map_pages(MM(0), a, 10, 12, 1);
	map_pages(MM(0), b, 20, 22, 2);
	map_pages(MM(0), b, 1, 2, 3);
	/* neighbours are not merged */
	map_pages(MM(0), a, 12, 20, 3);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 4);
	EXPECT_MAPPING(test, MM(0), 0, 1, 2, 3, b);
	EXPECT_MAPPING(test, MM(0), 1, 10, 12, 1, a);
	EXPECT_MAPPING(test, MM(0), 2, 12, 20, 3, a);
	EXPECT_MAPPING(test, MM(0), 3, 20, 22, 2, b);
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 3);
	KUNIT_EXPECT_EQ(test, test_users(b), 3);
	ustack_space_forget(MM(0));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);
	KUNIT_EXPECT_EQ(test, test_users(b), 1);
	ustack_image_put(a);
	ustack_image_put(b);
}

static void list_over(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);

	create(test, MM(0));
	map_pages(MM(0), a, 10, 20, 5);
	/* the same range */
	map_pages(MM(0), b, 10, 20, 0);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 1);
	EXPECT_MAPPING(test, MM(0), 0, 10, 20, 0, b);
	/* over its head, over its tail: what stays keeps its offsets */
	map_pages(MM(0), a, 8, 12, 7);
	map_pages(MM(0), a, 18, 22, 9);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 3);
	EXPECT_MAPPING(test, MM(0), 0, 8, 12, 7, a);
	EXPECT_MAPPING(test, MM(0), 1, 12, 18, 2, b);
	EXPECT_MAPPING(test, MM(0), 2, 18, 22, 9, a);
	/* over all three */
	map_pages(MM(0), b, 9, 21, 1);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 3);
	EXPECT_MAPPING(test, MM(0), 0, 8, 9, 7, a);
	EXPECT_MAPPING(test, MM(0), 1, 9, 21, 1, b);
	EXPECT_MAPPING(test, MM(0), 2, 21, 22, 12, a);
	ustack_space_forget(MM(0));
	ustack_image_put(a);
	ustack_image_put(b);
}

static void list_holes(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);

	create(test, MM(0));
	map_pages(MM(0), a, 10, 20, 100);
	unmap_pages(MM(0), 13, 15);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 2);
	EXPECT_MAPPING(test, MM(0), 0, 10, 13, 100, a);
	EXPECT_MAPPING(test, MM(0), 1, 15, 20, 105, a);
	map_pages(MM(0), b, 17, 18, 0);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 4);
	EXPECT_MAPPING(test, MM(0), 1, 15, 17, 105, a);
	EXPECT_MAPPING(test, MM(0), 2, 17, 18, 0, b);
	EXPECT_MAPPING(test, MM(0), 3, 18, 20, 108, a);
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 4);
	KUNIT_EXPECT_EQ(test, test_users(b), 2);
	unmap_pages(MM(0), 0, 100);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 0);
	KUNIT_EXPECT_TRUE(test, known(MM(0)));
	ustack_space_forget(MM(0));
	ustack_image_put(a);
	ustack_image_put(b);
}

/* Most mappings that come and go are data: they must not copy the list. */
static void list_untouched(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);
	const struct ustack_maps *before;

	create(test, MM(0));
	unmap_pages(MM(0), 0, 5);
	KUNIT_EXPECT_NULL(test, maps_of_mm(MM(0)));
	map_pages(MM(0), a, 10, 20, 0);
	before = maps_of_mm(MM(0));
	unmap_pages(MM(0), 0, 10);
	unmap_pages(MM(0), 20, 30);
	KUNIT_EXPECT_PTR_EQ(test, before, maps_of_mm(MM(0)));
	ustack_space_forget(MM(0));
	ustack_image_put(a);
}

static void list_keeps_regions(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *region;
	const struct ustack_maps *before;

	region = ustack_image_get_region(test_code(test, 1, 8));
	KUNIT_ASSERT_NOT_NULL(test, region);
	create(test, MM(0));
	map_pages(MM(0), region, 10, 20, 0);
	map_pages(MM(0), a, 20, 30, 0);
	before = maps_of_mm(MM(0));
	/* a JIT makes its memory writable and executable again */
	ustack_space_replace(MM(0), 12 * PAGE, 14 * PAGE, NULL, USTACK_KEEP_REGIONS);
	KUNIT_EXPECT_PTR_EQ(test, before, maps_of_mm(MM(0)));
	/* the file beside it is gone, the region is not */
	ustack_space_replace(MM(0), 15 * PAGE, 25 * PAGE, NULL, USTACK_KEEP_REGIONS);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 2);
	EXPECT_MAPPING(test, MM(0), 0, 10, 20, 0, region);
	EXPECT_MAPPING(test, MM(0), 1, 25, 30, 5, a);
	/* unmapped for good */
	unmap_pages(MM(0), 12, 14);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), 3);
	EXPECT_MAPPING(test, MM(0), 1, 14, 20, 4, region);
	ustack_space_forget(MM(0));
	ustack_image_put(a);
	ustack_image_put(region);
}

/* ---- against a model ------------------------------------------------------ */

#define MODEL_PAGES 64

/* What is at each page: image number and page of the image; image 0: nothing. */
struct model {
	struct {
		u8 image;
		u64 off;
	} page[MODEL_PAGES];
};

static void model_replace(struct model *model, u64 start, u64 end, u8 image,
			  u64 off)
{
	for (; start < end; start++, off++) {
		model->page[start].image = image;
		model->page[start].off = off;
	}
}

/* Return: the first page where list and model differ, -1 if none does. */
static int model_differs(const struct model *model,
			 const struct ustack_maps *maps,
			 struct ustack_image **images)
{
	const struct ustack_mapping *m = NULL;
	u64 addr, last = 0;
	int i;

	for (i = 0; maps && i < maps->nr; i++) {
		if (maps->m[i].start < last || maps->m[i].start >= maps->m[i].end)
			return MODEL_PAGES + i;
		last = maps->m[i].end;
	}
	for (i = 0; i < MODEL_PAGES; i++) {
		addr = i * PAGE + 123;
		m = ustack_maps_find(maps, addr, m);
		if (!m != !model->page[i].image)
			return i;
		if (m && (m->image != images[model->page[i].image] ||
			  addr - m->start + m->off !=
				  model->page[i].off * PAGE + 123))
			return i;
	}
	return -1;
}

static void list_model(struct kunit *test)
{
	struct ustack_image *images[4] = { NULL };
	struct rnd_state rnd;
	struct model *model;
	u64 start, end, off;
	u32 round, which;

	prandom_seed_state(&rnd, 20240611);
	model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, model);
	for (which = 1; which < 4; which++)
		images[which] = test_image(test, which);
	create(test, MM(0));
	for (round = 0; round < 5000; round++) {
		start = prandom_u32_state(&rnd) % MODEL_PAGES;
		end = start + 1 + prandom_u32_state(&rnd) % (MODEL_PAGES - start);
		if (round & 1)
			end = min(end, start + 3);
		off = prandom_u32_state(&rnd) % 1000;
		which = prandom_u32_state(&rnd) % 4;
		model_replace(model, start, end, which, off);
		if (which)
			map_pages(MM(0), images[which], start, end, off);
		else
			unmap_pages(MM(0), start, end);
		KUNIT_ASSERT_EQ_MSG(test, -1,
				    model_differs(model, maps_of_mm(MM(0)), images),
				    "round %u: image %u at pages %llu to %llu",
				    round, which, start, end);
	}
	ustack_space_forget(MM(0));
	test_settle();
	for (which = 1; which < 4; which++) {
		KUNIT_EXPECT_EQ(test, test_users(images[which]), 1);
		ustack_image_put(images[which]);
	}
}

/* ---- the bound -------------------------------------------------------------- */

static void fill_list(struct kunit *test, struct mm_struct *mm,
		      struct ustack_image *image)
{
	struct ustack_maps *maps = ustack_maps_alloc(USTACK_MAX_MAPPINGS,
						     GFP_KERNEL);
	u64 i;

	KUNIT_ASSERT_NOT_NULL(test, maps);
	for (i = 0; i < USTACK_MAX_MAPPINGS; i++) {
		ustack_image_hold(image);
		maps->m[maps->nr++] = (struct ustack_mapping){
			.start = (10 * i + 10) * PAGE,
			.end = (10 * i + 15) * PAGE,
			.image = image,
		};
	}
	KUNIT_ASSERT_EQ(test, 0,
			ustack_space_create(mm, maps, false, GFP_KERNEL));
}

static void list_limit(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);

	fill_list(test, MM(0), a);
	/* no room behind all others */
	map_pages(MM(0), a, 1000000, 1000001, 0);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), USTACK_MAX_MAPPINGS);
	KUNIT_EXPECT_NULL(test, ustack_maps_find(maps_of_mm(MM(0)),
						 1000000 * PAGE, NULL));
	/* in front of all others neither: what was there before stays */
	map_pages(MM(0), a, 1, 2, 0);
	KUNIT_EXPECT_NULL(test, ustack_maps_find(maps_of_mm(MM(0)), PAGE, NULL));
	EXPECT_MAPPING(test, MM(0), USTACK_MAX_MAPPINGS - 1,
		       10 * USTACK_MAX_MAPPINGS, 10 * USTACK_MAX_MAPPINGS + 5,
		       0, a);
	/* in the place of another there is */
	map_pages(MM(0), a, 10, 15, 77);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), USTACK_MAX_MAPPINGS);
	EXPECT_MAPPING(test, MM(0), 0, 10, 15, 77, a);
	EXPECT_MAPPING(test, MM(0), 1, 20, 25, 0, a);
	ustack_space_forget(MM(0));
	ustack_image_put(a);
}

/* Holes make two mappings of one: a process can have more than the limit that
 * way, and must not make the list longer.
 */
static void list_limit_holes(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);
	u64 i;

	fill_list(test, MM(0), a);
	for (i = 0; i < 100; i++)
		unmap_pages(MM(0), 10 * i + 12, 10 * i + 13);
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(0)), USTACK_MAX_MAPPINGS);
	/* of each, the second half is what is left out */
	EXPECT_MAPPING(test, MM(0), 0, 10, 12, 0, a);
	EXPECT_MAPPING(test, MM(0), 1, 20, 22, 0, a);
	EXPECT_MAPPING(test, MM(0), USTACK_MAX_MAPPINGS - 1,
		       10 * USTACK_MAX_MAPPINGS, 10 * USTACK_MAX_MAPPINGS + 5,
		       0, a);
	ustack_space_forget(MM(0));
	ustack_image_put(a);
}

/* ---- fork -------------------------------------------------------------------- */

static void fork_shares(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);
	struct ustack_space_totals before, after;
	const struct ustack_maps *maps;

	create(test, MM(0));
	map_pages(MM(0), a, 10, 20, 0);
	ustack_space_get_totals(&before);
	ustack_space_fork(MM(0), MM(1));
	ustack_space_get_totals(&after);
	maps = maps_of_mm(MM(0));
	KUNIT_EXPECT_PTR_EQ(test, maps, maps_of_mm(MM(1)));
	KUNIT_EXPECT_EQ(test, refcount_read(&maps->users), 2);
	/* one more record, no more lists */
	KUNIT_EXPECT_EQ(test, after.bytes - before.bytes,
			sizeof(struct ustack_space));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 2);

	/* the child goes its own way */
	unmap_pages(MM(1), 10, 11);
	EXPECT_MAPPING(test, MM(0), 0, 10, 20, 0, a);
	EXPECT_MAPPING(test, MM(1), 0, 11, 20, 1, a);
	KUNIT_EXPECT_EQ(test, refcount_read(&maps->users), 1);

	/* a grandchild survives its parents */
	ustack_space_fork(MM(1), MM(2));
	ustack_space_forget(MM(0));
	ustack_space_forget(MM(1));
	test_settle();
	EXPECT_MAPPING(test, MM(2), 0, 11, 20, 1, a);
	KUNIT_EXPECT_EQ(test, test_users(a), 2);
	ustack_space_forget(MM(2));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);
	ustack_image_put(a);
}

static void fork_unknown(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);

	/* of an unknown parent nothing is known */
	ustack_space_fork(MM(0), MM(1));
	KUNIT_EXPECT_FALSE(test, known(MM(1)));
	/* of one without mappings, just that */
	create(test, MM(0));
	ustack_space_fork(MM(0), MM(1));
	KUNIT_EXPECT_TRUE(test, known(MM(1)));
	KUNIT_EXPECT_NULL(test, maps_of_mm(MM(1)));
	/* a key that is used again loses what it had */
	map_pages(MM(1), a, 1, 2, 0);
	ustack_space_fork(MM(0), MM(1));
	KUNIT_EXPECT_EQ(test, nr_of_mm(MM(1)), 0);
	ustack_space_forget(MM(0));
	ustack_space_forget(MM(1));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);
	ustack_image_put(a);
}

/* ---- no memory: the mm is forgotten, nothing leaks ----------------------------- */

static void no_memory(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);
	struct ustack_maps *maps;

	/* create: also forgets what was known, and lets go of the list */
	create(test, MM(0));
	maps = ustack_maps_alloc(1, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, maps);
	ustack_image_hold(a);
	maps->m[maps->nr++] = (struct ustack_mapping){ .end = PAGE, .image = a };
	kmallocs_left = 0;
	KUNIT_EXPECT_EQ(test, -ENOMEM,
			ustack_space_create(MM(0), maps, false, GFP_KERNEL));
	kmallocs_left = -1;
	KUNIT_EXPECT_FALSE(test, known(MM(0)));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);

	/* an edit: no list is better than a stale one */
	create(test, MM(0));
	map_pages(MM(0), a, 10, 20, 0);
	kmallocs_left = 0;
	unmap_pages(MM(0), 30, 40);
	KUNIT_EXPECT_TRUE(test, known(MM(0)));
	unmap_pages(MM(0), 12, 13);
	kmallocs_left = -1;
	KUNIT_EXPECT_FALSE(test, known(MM(0)));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);

	/* fork: the child is unknown, the parent is not */
	create(test, MM(0));
	map_pages(MM(0), a, 10, 20, 0);
	kmallocs_left = 0;
	ustack_space_fork(MM(0), MM(1));
	kmallocs_left = -1;
	KUNIT_EXPECT_FALSE(test, known(MM(1)));
	EXPECT_MAPPING(test, MM(0), 0, 10, 20, 0, a);
	KUNIT_EXPECT_EQ(test, refcount_read(&maps_of_mm(MM(0))->users), 1);
	ustack_space_forget(MM(0));
	ustack_image_put(a);
}

/* ---- readers while a writer edits ----------------------------------------------- */

/* The writer's law, which every list that a reader sees must obey: the mapping
 * of image i has the bytes of page p at off = i * 1000 + p.
 */
struct readers {
	struct ustack_image *images[4];
	atomic_t seen;
	atomic_t bad;
};

static bool lawful(const struct readers *r, const struct ustack_mapping *m)
{
	u64 page = m->start / PAGE, off = m->off / PAGE, i;

	for (i = 1; i < 4; i++)
		if (m->image == r->images[i])
			return off == i * 1000 + page && m->image->id.ino == i;
	return false;
}

static int read_lists(void *arg)
{
	const struct ustack_mapping *m;
	const struct ustack_space *space;
	const struct ustack_maps *maps;
	struct readers *r = arg;
	u64 page;
	u32 mm;

	while (!kthread_should_stop()) {
		rcu_read_lock();
		for (mm = 0; mm < 3; mm++) {
			space = ustack_space_find(MM(mm));
			maps = space ? rcu_dereference(space->maps) : NULL;
			m = NULL;
			for (page = 0; page < MODEL_PAGES; page++) {
				m = ustack_maps_find(maps, page * PAGE, m);
				if (!m)
					continue;
				atomic_inc(&r->seen);
				if (!lawful(r, m))
					atomic_inc(&r->bad);
			}
		}
		rcu_read_unlock();
		cond_resched();
	}
	return 0;
}

static void write_lists(struct readers *r)
{
	unsigned long end = jiffies + HZ / 2;
	struct rnd_state rnd;
	u64 start, stop;
	u32 which;

	prandom_seed_state(&rnd, 7);
	do {
		start = prandom_u32_state(&rnd) % MODEL_PAGES;
		stop = start + 1 + prandom_u32_state(&rnd) % 8;
		which = prandom_u32_state(&rnd) % 4;
		if (which)
			map_pages(MM(0), r->images[which], start, stop,
				  which * 1000 + start);
		else
			unmap_pages(MM(0), start, stop);
		if (prandom_u32_state(&rnd) % 8 == 0)
			ustack_space_fork(MM(0), MM(1 + (which & 1)));
		if (prandom_u32_state(&rnd) % 64 == 0)
			ustack_space_forget(MM(1 + (start & 1)));
		cond_resched();
	} while (time_before(jiffies, end));
}

static void rcu_readers(struct kunit *test)
{
	struct task_struct *task[2];
	struct readers *r;
	int i;

	r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, r);
	for (i = 1; i < 4; i++)
		r->images[i] = test_image(test, i);
	create(test, MM(0));
	for (i = 0; i < 2; i++) {
		task[i] = kthread_run(read_lists, r, "ustack-reader-%d", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(task[i]));
	}
	write_lists(r);
	for (i = 0; i < 2; i++)
		kthread_stop(task[i]);
	KUNIT_EXPECT_EQ(test, atomic_read(&r->bad), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&r->seen), 0);
	for (i = 0; i < 3; i++)
		ustack_space_forget(MM(i));
	test_settle();
	for (i = 1; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, test_users(r->images[i]), 1);
		ustack_image_put(r->images[i]);
	}
}

static int suite_init(struct kunit_suite *suite)
{
	ustack_space_init();
	return 0;
}

static void case_exit(struct kunit *test)
{
	kmallocs_left = -1;
	ustack_space_exit();
	test_expect_clean(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(space_life),
	KUNIT_CASE(space_starting),
	KUNIT_CASE(space_exit_forgets_all),
	KUNIT_CASE(maps_find),
	KUNIT_CASE(list_add_new),
	KUNIT_CASE(list_over),
	KUNIT_CASE(list_holes),
	KUNIT_CASE(list_untouched),
	KUNIT_CASE(list_keeps_regions),
	KUNIT_CASE(list_model),
	KUNIT_CASE(list_limit),
	KUNIT_CASE(list_limit_holes),
	KUNIT_CASE(fork_shares),
	KUNIT_CASE(fork_unknown),
	KUNIT_CASE(no_memory),
	KUNIT_CASE(rcu_readers),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_space",
	.suite_init = suite_init,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
