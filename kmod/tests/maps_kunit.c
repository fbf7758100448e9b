// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of mapping lists: every kind of change and its cost, sharing, failed
 * allocations, and readers under RCU while a writer changes the list.
 */
#include "lists.h"

#include <linux/kthread.h>
#include <linux/prandom.h>
#include <linux/slab.h>

int test_kmallocs_left = -1;
size_t test_kmalloc_largest, test_kmalloc_bytes;

static void *failing_kmalloc(size_t size, gfp_t gfp)
{
	test_kmalloc_largest = max(test_kmalloc_largest, size);
	test_kmalloc_bytes += size;
	if (!test_kmallocs_left)
		return NULL;
	if (test_kmallocs_left > 0)
		test_kmallocs_left--;
	return kmalloc(size, gfp);
}

#undef kmalloc
#define kmalloc failing_kmalloc
#include "../maps.c"
#undef kmalloc

/* Several chunks of mappings of three pages, one page apart. */
static void maps_find(struct kunit *test)
{
	struct ustack_image *image = test_image(test, 1);
	const struct ustack_mapping *m, *other = NULL;
	const struct ustack_maps *maps;
	u64 i, start, end;

	KUNIT_EXPECT_NULL(test, ustack_maps_find(NULL, 0, NULL));
	KUNIT_EXPECT_NULL(test, ustack_maps_next(NULL, 0));
	for (i = 0; i < 300; i++)
		KUNIT_ASSERT_TRUE(test, map_pages(0, image, 4 * i + 2, 4 * i + 5, i));
	maps = list_of(0);
	KUNIT_ASSERT_EQ(test, maps->nr, 300);
	KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, 0, NULL));
	KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, ~0ull, NULL));
	KUNIT_EXPECT_NULL(test, ustack_maps_next(maps, ~0ull));
	for (i = 0; i < 300; i++) {
		start = (4 * i + 2) * PAGE;
		end = (4 * i + 5) * PAGE;
		m = ustack_maps_next(maps, start - 1);
		KUNIT_ASSERT_NOT_NULL(test, m);
		KUNIT_EXPECT_EQ(test, m->start, start);
		KUNIT_EXPECT_EQ(test, m->end, end);
		KUNIT_EXPECT_EQ(test, m->off, i * PAGE);
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_next(maps, end - 1));
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(maps, start, NULL));
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(maps, end - 1, NULL));
		KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, start - 1, NULL));
		KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, end, NULL));
		/* a hint that does not fit is ignored */
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(maps, start, m));
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(NULL, end - 1, m));
		KUNIT_EXPECT_PTR_EQ(test, m, ustack_maps_find(maps, start, other));
		KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, start - 1, m));
		KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, end, m));
		other = m;
	}
	drop_list(0);
	ustack_image_put(image);
}

static void list_add_new(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);

	map_pages(0, a, 10, 12, 1);
	map_pages(0, b, 20, 22, 2);
	map_pages(0, b, 1, 2, 3);
	/* adjacent mappings are not merged */
	map_pages(0, a, 12, 20, 3);
	KUNIT_EXPECT_EQ(test, nr_of(0), 4);
	EXPECT_MAPPING(test, 0, 0, 1, 2, 3, b);
	EXPECT_MAPPING(test, 0, 1, 10, 12, 1, a);
	EXPECT_MAPPING(test, 0, 2, 12, 20, 3, a);
	EXPECT_MAPPING(test, 0, 3, 20, 22, 2, b);
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 3);
	KUNIT_EXPECT_EQ(test, test_users(b), 3);
	drop_list(0);
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);
	KUNIT_EXPECT_EQ(test, test_users(b), 1);
	ustack_image_put(a);
	ustack_image_put(b);
}

static void list_over(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);

	map_pages(0, a, 10, 20, 5);
	/* the same range */
	map_pages(0, b, 10, 20, 0);
	KUNIT_EXPECT_EQ(test, nr_of(0), 1);
	EXPECT_MAPPING(test, 0, 0, 10, 20, 0, b);
	/* over its start, then over its end: the rest keeps its offsets */
	map_pages(0, a, 8, 12, 7);
	map_pages(0, a, 18, 22, 9);
	KUNIT_EXPECT_EQ(test, nr_of(0), 3);
	EXPECT_MAPPING(test, 0, 0, 8, 12, 7, a);
	EXPECT_MAPPING(test, 0, 1, 12, 18, 2, b);
	EXPECT_MAPPING(test, 0, 2, 18, 22, 9, a);
	/* over all three */
	map_pages(0, b, 9, 21, 1);
	KUNIT_EXPECT_EQ(test, nr_of(0), 3);
	EXPECT_MAPPING(test, 0, 0, 8, 9, 7, a);
	EXPECT_MAPPING(test, 0, 1, 9, 21, 1, b);
	EXPECT_MAPPING(test, 0, 2, 21, 22, 12, a);
	drop_list(0);
	ustack_image_put(a);
	ustack_image_put(b);
}

static void list_holes(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);

	map_pages(0, a, 10, 20, 100);
	unmap_pages(0, 13, 15);
	KUNIT_EXPECT_EQ(test, nr_of(0), 2);
	EXPECT_MAPPING(test, 0, 0, 10, 13, 100, a);
	EXPECT_MAPPING(test, 0, 1, 15, 20, 105, a);
	map_pages(0, b, 17, 18, 0);
	KUNIT_EXPECT_EQ(test, nr_of(0), 4);
	EXPECT_MAPPING(test, 0, 1, 15, 17, 105, a);
	EXPECT_MAPPING(test, 0, 2, 17, 18, 0, b);
	EXPECT_MAPPING(test, 0, 3, 18, 20, 108, a);
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 4);
	KUNIT_EXPECT_EQ(test, test_users(b), 2);
	unmap_pages(0, 0, 100);
	KUNIT_EXPECT_EQ(test, nr_of(0), 0);
	drop_list(0);
	ustack_image_put(a);
	ustack_image_put(b);
}

static void list_keeps_regions(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *region;

	region = ustack_image_get_region(test_code(test, 1, 8));
	KUNIT_ASSERT_NOT_NULL(test, region);
	map_pages(0, a, 20, 30, 0);
	KUNIT_EXPECT_NULL(test, ustack_maps_next_region(list_of(0), 0));
	map_pages(0, region, 10, 20, 0);
	KUNIT_EXPECT_PTR_EQ(test, nth(0, 0), ustack_maps_next_region(list_of(0), 0));
	KUNIT_EXPECT_PTR_EQ(test, nth(0, 0),
			    ustack_maps_next_region(list_of(0), 20 * PAGE - 1));
	KUNIT_EXPECT_NULL(test, ustack_maps_next_region(list_of(0), 20 * PAGE));
	/* a JIT makes its memory writable, then executable again */
	KUNIT_EXPECT_FALSE(test, ustack_maps_overlap(list_of(0), 12 * PAGE, 14 * PAGE,
						     USTACK_KEEP_REGIONS));
	/* the file next to it is unmapped, the region is not */
	unmap_pages_but(0, 15, 25, USTACK_KEEP_REGIONS);
	KUNIT_EXPECT_EQ(test, nr_of(0), 2);
	EXPECT_MAPPING(test, 0, 0, 10, 20, 0, region);
	EXPECT_MAPPING(test, 0, 1, 25, 30, 5, a);
	/* unmapped for good */
	unmap_pages(0, 12, 14);
	KUNIT_EXPECT_EQ(test, nr_of(0), 3);
	EXPECT_MAPPING(test, 0, 1, 14, 20, 4, region);
	drop_list(0);
	ustack_image_put(a);
	ustack_image_put(region);
}

/* ---- what a change costs, and the limit ------------------------------------- */

/* Five of every ten pages, starting at page 10. */
static void fill_list(struct kunit *test, u32 list, struct ustack_image *image,
		      u32 nr)
{
	struct ustack_maps *maps = ustack_maps_alloc(nr, GFP_KERNEL);
	struct ustack_mapping m = { .image = image };
	u64 i;

	KUNIT_ASSERT_NOT_NULL(test, maps);
	for (i = 0; i < nr; i++) {
		ustack_image_hold(image);
		m.start = (10 * i + 10) * PAGE;
		m.end = (10 * i + 15) * PAGE;
		KUNIT_ASSERT_TRUE(test, ustack_maps_append(maps, &m, GFP_KERNEL));
	}
	/* there is no room for more than was asked for */
	ustack_image_hold(image);
	KUNIT_ASSERT_FALSE(test, ustack_maps_append(maps, &m, GFP_KERNEL));
	rcu_assign_pointer(lists[list], maps);
}

/*
 * A change allocates only what it copies: a chunk, or two or three of them and
 * the directory. Each allocation fits in a page, except the directory of a list
 * near its limit.
 */
static void list_cost(struct kunit *test)
{
	static const u32 sizes[] = { 1, 10, 300, USTACK_MAX_MAPPINGS };
	struct ustack_image *a = test_image(test, 1);
	size_t most, sum;
	struct rnd_state rnd;
	u32 i, round;
	u64 at;

	prandom_seed_state(&rnd, 1);
	test_kmalloc_largest = 0;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		fill_list(test, 0, a, sizes[i]);
		most = 0;
		sum = 0;
		for (round = 0; round < 2000; round++) {
			at = prandom_u32_state(&rnd) % sizes[i] * 10 + 10;
			test_kmalloc_bytes = 0;
			KUNIT_ASSERT_TRUE(test, unmap_pages(0, at, at + 5));
			KUNIT_ASSERT_TRUE(test, map_pages(0, a, at, at + 5, 0));
			most = max(most, test_kmalloc_bytes);
			sum += test_kmalloc_bytes;
		}
		KUNIT_EXPECT_EQ(test, nr_of(0), sizes[i]);
		KUNIT_EXPECT_TRUE(test, is_sound(0));
		/* the limits are those of two changes */
		KUNIT_EXPECT_LE(test, sum / 2000, 2 * 2048);
		KUNIT_EXPECT_LE(test, most, 2 * (2 * 2048 + 4096));
		kunit_info(test, "%u mappings: %zu bytes a change, at most %zu for two\n",
			   sizes[i], sum / 4000, most);
		drop_list(0);
	}
	/*
	 * the directory of the longest list; that of half as many mappings fits
	 * in a page
	 */
	KUNIT_EXPECT_LE(test, test_kmalloc_largest, 2 * PAGE_SIZE);
	ustack_image_put(a);
}

/* Filled one mapping at a time at both ends, then emptied from the middle. */
static void list_grows(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);
	u64 i, at;

	test_kmalloc_largest = 0;
	for (i = 0; i < USTACK_MAX_MAPPINGS; i++) {
		at = i % 2 ? 100000 + 2 * i : 100000 - 2 * i;
		KUNIT_ASSERT_TRUE(test, map_pages(0, a, at, at + 1, i));
		KUNIT_ASSERT_TRUE(test, is_sound(0));
	}
	KUNIT_EXPECT_EQ(test, nr_of(0), USTACK_MAX_MAPPINGS);
	/* all but both ends at once: the chunks in between are dropped */
	KUNIT_EXPECT_TRUE(test, unmap_pages(0, 100000 - 2000, 100000 + 2000));
	KUNIT_EXPECT_TRUE(test, is_sound(0));
	for (i = 0; i < USTACK_MAX_MAPPINGS; i++) {
		at = i % 2 ? 100000 + 2 * i : 100000 - 2 * i;
		KUNIT_ASSERT_TRUE(test, unmap_pages(0, at, at + 1));
		KUNIT_ASSERT_TRUE(test, is_sound(0));
	}
	KUNIT_EXPECT_EQ(test, nr_of(0), 0);
	/*
	 * the directory of the longest list; that of half as many mappings fits
	 * in a page
	 */
	KUNIT_EXPECT_LE(test, test_kmalloc_largest, 2 * PAGE_SIZE);
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);
	drop_list(0);
	ustack_image_put(a);
}

static void list_limit(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);

	fill_list(test, 0, a, USTACK_MAX_MAPPINGS);
	/* no room after all others, and nothing is copied to find that out */
	test_kmalloc_bytes = 0;
	map_pages(0, a, 1000000, 1000001, 0);
	KUNIT_EXPECT_EQ(test, test_kmalloc_bytes, 0);
	KUNIT_EXPECT_EQ(test, nr_of(0), USTACK_MAX_MAPPINGS);
	KUNIT_EXPECT_NULL(test, ustack_maps_find(list_of(0),
						 1000000 * PAGE, NULL));
	/* nor before all others: the mappings that were there stay */
	map_pages(0, a, 1, 2, 0);
	KUNIT_EXPECT_NULL(test, ustack_maps_find(list_of(0), PAGE, NULL));
	EXPECT_MAPPING(test, 0, USTACK_MAX_MAPPINGS - 1,
		       10 * USTACK_MAX_MAPPINGS, 10 * USTACK_MAX_MAPPINGS + 5,
		       0, a);
	/* there is room if another one is replaced */
	map_pages(0, a, 10, 15, 77);
	KUNIT_EXPECT_EQ(test, nr_of(0), USTACK_MAX_MAPPINGS);
	EXPECT_MAPPING(test, 0, 0, 10, 15, 77, a);
	EXPECT_MAPPING(test, 0, 1, 20, 25, 0, a);
	drop_list(0);
	ustack_image_put(a);
}

/*
 * Holes split one mapping into two: in this way a process can get more than the
 * limit, and must not make the list longer.
 */
static void list_limit_holes(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);
	u64 i;

	fill_list(test, 0, a, USTACK_MAX_MAPPINGS);
	for (i = 0; i < 100; i++)
		unmap_pages(0, 10 * i + 12, 10 * i + 13);
	KUNIT_EXPECT_EQ(test, nr_of(0), USTACK_MAX_MAPPINGS);
	/* the second half of each is left out */
	EXPECT_MAPPING(test, 0, 0, 10, 12, 0, a);
	EXPECT_MAPPING(test, 0, 1, 20, 22, 0, a);
	EXPECT_MAPPING(test, 0, USTACK_MAX_MAPPINGS - 1,
		       10 * USTACK_MAX_MAPPINGS, 10 * USTACK_MAX_MAPPINGS + 5,
		       0, a);
	drop_list(0);
	ustack_image_put(a);
}

/* If any allocation fails, nothing has changed. */
static void list_no_memory(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);
	struct ustack_mapping m = { .end = PAGE, .image = b };
	struct ustack_maps *maps;
	int left;

	fill_list(test, 0, a, 300);
	for (left = 0;; left++) {
		test_kmallocs_left = left;
		/* changes all chunks and the directory */
		if (map_pages(0, b, 11, 2995, 0))
			break;
		test_kmallocs_left = -1;
		KUNIT_ASSERT_EQ(test, nr_of(0), 300);
		KUNIT_EXPECT_EQ(test, test_users(a), 301);
		KUNIT_EXPECT_EQ(test, test_users(b), 1);
		EXPECT_MAPPING(test, 0, 299, 3000, 3005, 0, a);
	}
	test_kmallocs_left = -1;
	KUNIT_EXPECT_EQ(test, left, 2);
	KUNIT_EXPECT_EQ(test, nr_of(0), 3);
	drop_list(0);

	/* a list that is being made */
	test_kmallocs_left = 0;
	KUNIT_EXPECT_NULL(test, ustack_maps_alloc(1, GFP_KERNEL));
	test_kmallocs_left = 1;
	maps = ustack_maps_alloc(1, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, maps);
	ustack_image_hold(b);
	KUNIT_EXPECT_FALSE(test, ustack_maps_append(maps, &m, GFP_KERNEL));
	test_kmallocs_left = -1;
	ustack_maps_put(maps);
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);
	KUNIT_EXPECT_EQ(test, test_users(b), 1);
	ustack_image_put(a);
	ustack_image_put(b);
}

/* ---- sharing ---------------------------------------------------------------- */

static void list_shared(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);
	const struct ustack_maps *before;

	fill_list(test, 0, a, 300);
	share_list(0, 1);
	KUNIT_EXPECT_PTR_EQ(test, list_of(0), list_of(1));
	KUNIT_EXPECT_EQ(test, test_users(a), 301);
	/* the first change copies one chunk and shares the others */
	KUNIT_EXPECT_TRUE(test, map_pages(1, b, 10, 15, 0));
	KUNIT_EXPECT_LT(test, test_users(a), 301 + USTACK_CHUNK_MAPPINGS);
	KUNIT_EXPECT_PTR_EQ(test, chunk_at(list_of(0), 5), chunk_at(list_of(1), 5));
	EXPECT_MAPPING(test, 0, 0, 10, 15, 0, a);
	EXPECT_MAPPING(test, 1, 0, 10, 15, 0, b);
	/* the second does not copy the directory */
	before = list_of(1);
	KUNIT_EXPECT_TRUE(test, map_pages(1, b, 1510, 1515, 0));
	KUNIT_EXPECT_PTR_EQ(test, before, list_of(1));
	EXPECT_MAPPING(test, 0, 150, 1510, 1515, 0, a);
	EXPECT_MAPPING(test, 1, 150, 1510, 1515, 0, b);
	drop_list(0);
	EXPECT_MAPPING(test, 1, 299, 3000, 3005, 0, a);
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 299);
	KUNIT_EXPECT_EQ(test, test_users(b), 3);
	drop_list(1);
	test_settle();
	ustack_image_put(a);
	ustack_image_put(b);
}

/*
 * An unfinished sample of a child must not see later changes of the parent's
 * list, not even if the child no longer shares it by then.
 */
static void list_shared_once(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);
	const struct ustack_mapping *m;
	const struct ustack_maps *maps;

	fill_list(test, 0, a, 300);
	share_list(0, 1);
	rcu_read_lock();
	maps = list_of(1);
	drop_list(1);
	KUNIT_EXPECT_TRUE(test, map_pages(0, b, 10, 15, 0));
	m = ustack_maps_find(maps, 10 * PAGE, NULL);
	KUNIT_EXPECT_TRUE(test, m && m->image == a);
	rcu_read_unlock();
	drop_list(0);
	ustack_image_put(a);
	ustack_image_put(b);
}

/* ---- readers while a writer changes the list --------------------------------- */

#define READ_PAGES 512

/*
 * The rule that the writer keeps: a mapping of image i has the contents of page
 * p at page i * 1000 + p; the last of every sixteen pages is always mapped from
 * image 3.
 */
struct readers {
	struct ustack_image *images[4];
	atomic_t seen;
	atomic_t bad;
};

static bool is_lawful(const struct readers *r, const struct ustack_mapping *m,
		      u64 page)
{
	u64 i;

	if (!m)
		return page % 16 != 15;
	if (page % 16 == 15 && m->image != r->images[3])
		return false;
	if (m->start > page * PAGE || m->end <= page * PAGE)
		return false;
	for (i = 1; i < 4; i++)
		if (m->image == r->images[i])
			return m->off == i * 1000 * PAGE + m->start &&
			       m->image->id.ino == i;
	return false;
}

static int read_lists(void *arg)
{
	const struct ustack_mapping *m;
	const struct ustack_maps *maps;
	struct readers *r = arg;
	u32 list;
	u64 page;

	while (!kthread_should_stop()) {
		for (list = 0; list < NR_LISTS; list++) {
			rcu_read_lock();
			maps = rcu_dereference(lists[list]);
			m = NULL;
			for (page = 0; maps && page < READ_PAGES; page++) {
				m = ustack_maps_find(maps, page * PAGE, m);
				atomic_add(!!m, &r->seen);
				atomic_add(!is_lawful(r, m, page), &r->bad);
			}
			rcu_read_unlock();
		}
		cond_resched();
	}
	return 0;
}

static void map_lawfully(struct readers *r, u32 which, u64 start, u64 end)
{
	map_pages(0, r->images[which], start, end, which * 1000 + start);
}

static void write_lists(struct readers *r)
{
	unsigned long end = jiffies + HZ;
	struct rnd_state rnd;
	u64 start, stop;
	u32 which;

	prandom_seed_state(&rnd, 7);
	do {
		start = prandom_u32_state(&rnd) % READ_PAGES;
		stop = min(start + 1 + prandom_u32_state(&rnd) % 3, start | 15);
		which = prandom_u32_state(&rnd) % 4;
		if (start == stop)
			map_lawfully(r, 3, start, start + 1);
		else if (which)
			map_lawfully(r, which, start, stop);
		else
			unmap_pages(0, start, stop);
		if (prandom_u32_state(&rnd) % 16 == 0)
			share_list(0, 1 + (which & 1));
		if (prandom_u32_state(&rnd) % 64 == 0)
			drop_list(1 + (start & 1));
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
	for (i = 15; i < READ_PAGES; i += 16)
		map_lawfully(r, 3, i, i + 1);
	for (i = 0; i < 2; i++) {
		task[i] = kthread_run(read_lists, r, "ustack-reader-%d", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(task[i]));
	}
	write_lists(r);
	for (i = 0; i < 2; i++)
		kthread_stop(task[i]);
	KUNIT_EXPECT_EQ(test, atomic_read(&r->bad), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&r->seen), 0);
	KUNIT_EXPECT_GT(test, nr_of(0), 100);
	for (i = 0; i < NR_LISTS; i++)
		drop_list(i);
	test_settle();
	for (i = 1; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, test_users(r->images[i]), 1);
		ustack_image_put(r->images[i]);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(maps_find),
	KUNIT_CASE(list_add_new),
	KUNIT_CASE(list_over),
	KUNIT_CASE(list_holes),
	KUNIT_CASE(list_keeps_regions),
	KUNIT_CASE(list_cost),
	KUNIT_CASE(list_grows),
	KUNIT_CASE(list_limit),
	KUNIT_CASE(list_limit_holes),
	KUNIT_CASE(list_no_memory),
	KUNIT_CASE(list_shared),
	KUNIT_CASE(list_shared_once),
	KUNIT_CASE(rcu_readers),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_maps",
	.exit = drop_lists,
	.test_cases = cases,
};

kunit_test_suite(suite);
