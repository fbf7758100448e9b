// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of mapping lists against a model: thousands of random changes are also
 * made to a simple array, in the simplest way, and the two are compared.
 */
#include "lists.h"

#include <linux/prandom.h>
#include <linux/slab.h>

/* The contents that each list should have; changes are built in @spare. */
struct model {
	struct {
		struct ustack_mapping m[USTACK_MAX_MAPPINGS];
		u32 nr;
	} list[NR_LISTS], spare;
	struct ustack_image *images[5];
};

static void model_add(struct model *model, const struct ustack_mapping *m,
		      u64 start, u64 end)
{
	if (start >= end || model->spare.nr == USTACK_MAX_MAPPINGS)
		return;
	model->spare.m[model->spare.nr++] = (struct ustack_mapping){
		.start = start,
		.end = end,
		.off = m->off + (start - m->start),
		.image = m->image,
	};
}

/* The limit of a list is not reached here. */
static void model_replace(struct model *model, u32 list,
			  const struct ustack_mapping *new, bool empty,
			  enum ustack_keep keep)
{
	const struct ustack_mapping *m = model->list[list].m;
	bool region, placed = empty;
	u32 i;

	model->spare.nr = 0;
	for (i = 0; i < model->list[list].nr; i++, m++) {
		region = m->image == model->images[4];
		if ((keep == USTACK_KEEP_REGIONS && region) ||
		    (keep == USTACK_KEEP_FILES && !region)) {
			model_add(model, m, m->start, m->end);
			continue;
		}
		model_add(model, m, m->start, min(m->end, new->start));
		if (!placed && m->end > new->start) {
			model_add(model, new, new->start, new->end);
			placed = true;
		}
		model_add(model, m, max(m->start, new->end), m->end);
	}
	if (!placed)
		model_add(model, new, new->start, new->end);
	model->list[list] = model->spare;
}

/* Returns the index of the first mapping that differs, or -1. */
static int model_differs(const struct model *model, u32 list)
{
	const struct ustack_mapping *m, *should = model->list[list].m;
	const struct ustack_maps *maps = list_of(list);
	u32 i;

	if (nr_of(list) != model->list[list].nr)
		return USTACK_MAX_MAPPINGS;
	m = ustack_maps_next(maps, 0);
	for (i = 0; i < model->list[list].nr; i++, should++) {
		if (!m || m->start != should->start || m->end != should->end ||
		    m->off != should->off || m->image != should->image ||
		    ustack_maps_find(maps, m->start, NULL) != m ||
		    ustack_maps_find(maps, m->end - 1, NULL) != m)
			return i;
		m = ustack_maps_next(maps, m->end);
	}
	return m ? i : -1;
}

/*
 * Whether each mapping holds one reference, the test one, and nothing else any.
 * Only for lists that share nothing.
 */
static bool users_are_right(const struct model *model)
{
	unsigned long users[ARRAY_SIZE(model->images)];
	const struct ustack_mapping *m;
	u32 i, list;

	test_settle();
	for (i = 1; i < ARRAY_SIZE(users); i++)
		users[i] = 1;
	for (list = 0; list < NR_LISTS; list++)
		for (m = model->list[list].m;
		     m < model->list[list].m + model->list[list].nr; m++)
			for (i = 1; i < ARRAY_SIZE(users); i++)
				users[i] += m->image == model->images[i];
	for (i = 1; i < ARRAY_SIZE(users); i++)
		if (test_users(model->images[i]) != users[i])
			return false;
	return true;
}

/* Makes a random change. It must change nothing if an allocation fails. */
static void change_randomly(struct model *model, struct rnd_state *rnd, u32 list,
			    u32 pages, u32 longest)
{
	u32 start = prandom_u32_state(rnd) % pages;
	u32 which = prandom_u32_state(rnd) % 7;
	struct ustack_mapping m = {
		.start = start * PAGE,
		.off = prandom_u32_state(rnd) % 1000 * PAGE,
	};
	enum ustack_keep keep = USTACK_KEEP_NONE;
	bool done;

	/* mostly a short range, sometimes a long one or all up to the end */
	if (prandom_u32_state(rnd) % 100 == 0)
		longest *= 8;
	if (prandom_u32_state(rnd) % 2000 == 0)
		longest = pages;
	m.end = min(start + 1 + prandom_u32_state(rnd) % longest, pages) * PAGE;
	if (prandom_u32_state(rnd) % 16 == 0)
		test_kmallocs_left = prandom_u32_state(rnd) % 4;
	if (which >= 1 && which <= 4) {
		m.image = model->images[which];
		done = ustack_maps_replace(&lists[list], m.start, m.end, &m, keep);
	} else {
		keep = which == 5 ? USTACK_KEEP_REGIONS :
		       which == 6 ? USTACK_KEEP_FILES : USTACK_KEEP_NONE;
		done = unmap_pages_but(list, start, m.end / PAGE, keep);
	}
	test_kmallocs_left = -1;
	if (done)
		model_replace(model, list, &m, !m.image, keep);
}

static struct model *make_model(struct kunit *test)
{
	struct model *model = kvzalloc(sizeof(*model), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, model);
	for (i = 1; i < 4; i++)
		model->images[i] = test_image(test, i);
	model->images[4] = ustack_image_get_region(test_code(test, 1, 8));
	KUNIT_ASSERT_NOT_NULL(test, model->images[4]);
	return model;
}

static void end_model(struct kunit *test, struct model *model)
{
	u32 i;

	for (i = 0; i < NR_LISTS; i++)
		drop_list(i);
	test_settle();
	for (i = 1; i < ARRAY_SIZE(model->images); i++) {
		KUNIT_EXPECT_EQ(test, test_users(model->images[i]), 1);
		ustack_image_put(model->images[i]);
	}
	kvfree(model);
}

/* Lists of up to about 100, 500 and 2,500 mappings. */
static void list_model(struct kunit *test)
{
	static const struct {
		u32 pages, longest, rounds, compare;
	} sizes[] = {
		{ 64, 4, 5000, 1 },
		{ 600, 20, 5000, 1 },
		{ 6000, 2, 10000, 16 },
	};
	struct model *model = make_model(test);
	struct rnd_state rnd;
	u32 i, round, largest = 0;

	prandom_seed_state(&rnd, 20240611);
	test_kmalloc_largest = 0;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (round = 0; round < sizes[i].rounds; round++) {
			change_randomly(model, &rnd, 0, sizes[i].pages,
					sizes[i].longest);
			largest = max(largest, nr_of(0));
			if (round % sizes[i].compare)
				continue;
			KUNIT_ASSERT_EQ_MSG(test, -1, model_differs(model, 0),
					    "size %u, round %u", i, round);
			KUNIT_ASSERT_TRUE_MSG(test, is_sound(0),
					      "size %u, round %u", i, round);
			if (round % 2000 == 0)
				KUNIT_ASSERT_TRUE(test, users_are_right(model));
		}
		KUNIT_EXPECT_TRUE(test, users_are_right(model));
	}
	KUNIT_EXPECT_GT(test, largest, 1000);
	KUNIT_EXPECT_LE(test, test_kmalloc_largest, PAGE_SIZE);
	end_model(test, model);
}

/* Three lists that share directories and chunks, each changed by itself. */
static void list_model_shared(struct kunit *test)
{
	struct model *model = make_model(test);
	struct rnd_state rnd;
	u32 round, list, to;

	prandom_seed_state(&rnd, 22);
	for (round = 0; round < 10000; round++) {
		list = prandom_u32_state(&rnd) % NR_LISTS;
		change_randomly(model, &rnd, list, 600, 4);
		if (prandom_u32_state(&rnd) % 32 == 0) {
			to = (list + 1 + round % 2) % NR_LISTS;
			share_list(list, to);
			model->list[to] = model->list[list];
		}
		if (prandom_u32_state(&rnd) % 128 == 0) {
			drop_list(list);
			model->list[list].nr = 0;
		}
		for (list = 0; list < NR_LISTS; list++) {
			KUNIT_ASSERT_EQ_MSG(test, -1, model_differs(model, list),
					    "round %u, list %u", round, list);
			KUNIT_ASSERT_TRUE_MSG(test, is_sound(list),
					      "round %u, list %u", round, list);
		}
		if (round % 64 == 0)
			cond_resched();
	}
	end_model(test, model);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(list_model),
	KUNIT_CASE(list_model_shared),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_maps_model",
	.exit = drop_lists,
	.test_cases = cases,
};

kunit_test_suite(suite);
