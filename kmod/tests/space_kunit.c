// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of spaces: from creation to removal, changes of mappings, fork, failed
 * allocations, and readers under RCU while a writer changes them. maps_kunit.c
 * tests their mapping lists.
 */
#include "support.h"

#include <linux/hash.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/prandom.h>
#include <linux/rculist.h>
#include <linux/slab.h>

/* How many kmalloc() calls of space.c succeed before one fails; -1: all. */
static int kmallocs_left = -1;

static void *failing_kmalloc(size_t size, gfp_t gfp)
{
	if (!kmallocs_left)
		return NULL;
	if (kmallocs_left > 0)
		kmallocs_left--;
	return kmalloc(size, gfp);
}

/* Whether every change of a list fails for lack of memory. */
static bool refuse_changes;

static bool refused_replace(struct ustack_maps __rcu **at, u64 start, u64 end,
			    const struct ustack_mapping *mapping,
			    enum ustack_keep keep)
{
	return !refuse_changes &&
	       ustack_maps_replace(at, start, end, mapping, keep);
}

#undef kmalloc
#define kmalloc failing_kmalloc
#define ustack_maps_replace refused_replace
#include "../space.c"
#undef ustack_maps_replace
#undef kmalloc

/* mm_structs are only keys here, which are never followed. */
static char mms[64];
#define MM(n) ((struct mm_struct *)&mms[n])

#define PAGE 0x1000ull
#define PAGES 64

static const struct ustack_maps *maps_of_mm(const struct mm_struct *mm)
{
	const struct ustack_space *space = ustack_space_find(mm);

	/* the test itself is the only writer */
	return space ? rcu_dereference_protected(space->maps, true) : NULL;
}

static u32 nr_of_mm(const struct mm_struct *mm)
{
	const struct ustack_maps *maps = maps_of_mm(mm);

	return maps ? maps->nr : 0;
}

static const struct ustack_mapping *nth(const struct mm_struct *mm, u32 n)
{
	const struct ustack_mapping *m = ustack_maps_next(maps_of_mm(mm), 0);

	while (m && n--)
		m = ustack_maps_next(maps_of_mm(mm), m->end);
	return m;
}

static bool known(const struct mm_struct *mm)
{
	return ustack_space_find(mm);
}

/* Maps pages [@start, @end) to @image, with page @off of it first. */
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

/* Expects one entry of a list, given in pages. */
#define EXPECT_MAPPING(test, mm, i, s, e, o, im)                             \
	do {                                                                 \
		const struct ustack_mapping *m_ = nth(mm, i);                \
		KUNIT_ASSERT_NOT_NULL(test, m_);                             \
		KUNIT_EXPECT_EQ(test, m_->start, (s) * PAGE);                \
		KUNIT_EXPECT_EQ(test, m_->end, (e) * PAGE);                  \
		KUNIT_EXPECT_EQ(test, m_->off, (o) * PAGE);                  \
		KUNIT_EXPECT_PTR_EQ(test, m_->image, im);                    \
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
	/* created again, as execve does: it is still one space */
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

/* A list with a mapping of one page. */
static struct ustack_maps *one_page(struct kunit *test, struct ustack_image *image)
{
	struct ustack_mapping m = { .start = PAGE, .end = 2 * PAGE, .image = image };
	struct ustack_maps *maps = ustack_maps_alloc(1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, maps);
	ustack_image_hold(image);
	KUNIT_ASSERT_TRUE(test, ustack_maps_append(maps, &m, GFP_KERNEL));
	return maps;
}

/*
 * The list that a worker has read of a running task must not replace the space
 * that execve has created meanwhile.
 */
static void space_add(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);

	KUNIT_ASSERT_EQ(test, 0,
			ustack_space_create(MM(0), NULL, true, GFP_KERNEL));
	KUNIT_EXPECT_EQ(test, 0, ustack_space_add(MM(0), one_page(test, a)));
	KUNIT_EXPECT_TRUE(test, ustack_space_find(MM(0))->starting);
	KUNIT_EXPECT_NULL(test, maps_of_mm(MM(0)));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);

	KUNIT_EXPECT_EQ(test, 0, ustack_space_add(MM(1), one_page(test, a)));
	KUNIT_EXPECT_FALSE(test, ustack_space_find(MM(1))->starting);
	EXPECT_MAPPING(test, MM(1), 0, 1, 2, 0, a);
	/* execve comes second: its space replaces the worker's */
	KUNIT_ASSERT_EQ(test, 0,
			ustack_space_create(MM(1), NULL, true, GFP_KERNEL));
	KUNIT_EXPECT_TRUE(test, ustack_space_find(MM(1))->starting);
	KUNIT_EXPECT_NULL(test, maps_of_mm(MM(1)));

	kmallocs_left = 0;
	KUNIT_EXPECT_EQ(test, -ENOMEM, ustack_space_add(MM(2), one_page(test, a)));
	KUNIT_EXPECT_EQ(test, -ENOMEM, ustack_space_add(MM(0), one_page(test, a)));
	kmallocs_left = -1;
	KUNIT_EXPECT_TRUE(test, known(MM(0)));
	ustack_space_forget(MM(0));
	ustack_space_forget(MM(1));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);
	ustack_image_put(a);
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

static void replace_new(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1), *b = test_image(test, 2);

	/* this mm was never sampled: nothing happens */
	map_pages(MM(0), a, 10, 12, 0);
	KUNIT_EXPECT_FALSE(test, known(MM(0)));
	KUNIT_EXPECT_EQ(test, test_users(a), 1);

	create(test, MM(0));
	map_pages(MM(0), a, 10, 12, 1);
	map_pages(MM(0), b, 20, 22, 2);
	map_pages(MM(0), b, 1, 2, 3);
	/* adjacent mappings are not merged */
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

static bool overlap(struct mm_struct *mm, u64 start, u64 end,
		    enum ustack_keep keep)
{
	return ustack_space_overlap(mm, start * PAGE, end * PAGE, keep);
}

/*
 * Most mappings that are made and removed are data: for those, the list must
 * not be copied.
 */
static void replace_untouched(struct kunit *test)
{
	struct ustack_image *a = test_image(test, 1);
	const struct ustack_mapping *before;

	create(test, MM(0));
	unmap_pages(MM(0), 0, 5);
	KUNIT_EXPECT_NULL(test, maps_of_mm(MM(0)));
	map_pages(MM(0), a, 10, 20, 0);
	before = nth(MM(0), 0);
	unmap_pages(MM(0), 0, 10);
	unmap_pages(MM(0), 20, 30);
	ustack_space_replace(MM(0), 12 * PAGE, 13 * PAGE, NULL, USTACK_KEEP_FILES);
	KUNIT_EXPECT_PTR_EQ(test, before, nth(MM(0), 0));
	KUNIT_EXPECT_TRUE(test, overlap(MM(0), 19, 30, USTACK_KEEP_NONE));
	KUNIT_EXPECT_TRUE(test, overlap(MM(0), 19, 30, USTACK_KEEP_REGIONS));
	KUNIT_EXPECT_FALSE(test, overlap(MM(0), 19, 30, USTACK_KEEP_FILES));
	KUNIT_EXPECT_FALSE(test, overlap(MM(0), 20, 30, USTACK_KEEP_NONE));
	KUNIT_EXPECT_FALSE(test, overlap(MM(1), 19, 30, USTACK_KEEP_NONE));
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
	/* one more space, but no more lists */
	KUNIT_EXPECT_EQ(test, after.bytes - before.bytes,
			sizeof(struct ustack_space));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 2);

	/* a change of the child's mappings only */
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

	/* the parent has no space: nor has the child */
	ustack_space_fork(MM(0), MM(1));
	KUNIT_EXPECT_FALSE(test, known(MM(1)));
	/* the parent has no mappings: nor has the child */
	create(test, MM(0));
	ustack_space_fork(MM(0), MM(1));
	KUNIT_EXPECT_TRUE(test, known(MM(1)));
	KUNIT_EXPECT_NULL(test, maps_of_mm(MM(1)));
	/* a key that is used again loses its old mappings */
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

	/* create: also removes the old space and releases the list */
	create(test, MM(0));
	maps = one_page(test, a);
	kmallocs_left = 0;
	KUNIT_EXPECT_EQ(test, -ENOMEM,
			ustack_space_create(MM(0), maps, false, GFP_KERNEL));
	kmallocs_left = -1;
	KUNIT_EXPECT_FALSE(test, known(MM(0)));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);

	/* a change: no list is better than an outdated one */
	create(test, MM(0));
	map_pages(MM(0), a, 10, 20, 0);
	refuse_changes = true;
	unmap_pages(MM(0), 30, 40);
	KUNIT_EXPECT_TRUE(test, known(MM(0)));
	unmap_pages(MM(0), 12, 13);
	refuse_changes = false;
	KUNIT_EXPECT_FALSE(test, known(MM(0)));
	test_settle();
	KUNIT_EXPECT_EQ(test, test_users(a), 1);

	/* fork: the child has no space, the parent keeps its own */
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

/*
 * The rule that the writer keeps and every list that a reader sees must fulfil:
 * a mapping of image i has the contents of page p at page i * 1000 + p.
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
			for (page = 0; page < PAGES; page++) {
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
		start = prandom_u32_state(&rnd) % PAGES;
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
	refuse_changes = false;
	test_mm_exit(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(space_life),
	KUNIT_CASE(space_starting),
	KUNIT_CASE(space_add),
	KUNIT_CASE(space_exit_forgets_all),
	KUNIT_CASE(replace_new),
	KUNIT_CASE(replace_untouched),
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
