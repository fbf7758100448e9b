// SPDX-License-Identifier: GPL-2.0-only
/* Tests of who pays for tables: shares, eviction, and the turns of builders. */
#include "support.h"

#include <linux/slab.h>

/* With so many functions, three tables fit into one MiB and four do not. */
static u32 big_nr(struct kunit *test)
{
	static u32 nr;
	struct ustack_code *code;

	if (!nr) {
		code = test_code(test, 20000, 8);
		nr = 300000ull * 20000 / code->bytes;
		ustack_code_free(code);
	}
	return nr;
}

static u64 bytes_of(struct ustack_image *image)
{
	return rcu_dereference_protected(image->code, true)->bytes;
}

/*
 * An image with a table of big_nr() functions that @payer pays for; NULL if it
 * does not fit. The caller gets a reference.
 */
static struct ustack_image *big_image(struct kunit *test, u64 ino,
				      struct ustack_payer *payer)
{
	struct ustack_image *image;
	struct ustack_code *code;

	code = test_code_of(test, big_nr(test), 8, payer);
	if (!code)
		return NULL;
	image = test_image(test, ino);
	ustack_image_load(image, code, false);
	return image;
}

static void budget_evicts_oldest(struct kunit *test)
{
	struct ustack_image *image[4], *more;
	struct ustack_identity id[4];
	struct ustack_image_totals now;
	int i;

	ustack_budget_mb = 1;
	for (i = 0; i < 3; i++) {
		image[i] = big_image(test, i, &ustack_machine);
		KUNIT_ASSERT_NOT_NULL(test, image[i]);
		id[i] = image[i]->id;
	}
	/* what this test assumes about sizes */
	KUNIT_ASSERT_LE(test, 3 * bytes_of(image[0]), 1 << 20);
	KUNIT_ASSERT_GT(test, 4 * bytes_of(image[0]), 1 << 20);

	/* all of them are in use: there is no room */
	KUNIT_EXPECT_NULL(test, big_image(test, 3, &ustack_machine));

	/* 1 becomes idle first, then 2, then 0; 1 is used, and idle again */
	ustack_image_put(image[1]);
	ustack_image_put(image[2]);
	ustack_image_put(image[0]);
	KUNIT_EXPECT_PTR_EQ(test, image[1], ustack_image_get(&id[1], GFP_KERNEL));
	ustack_image_put(image[1]);
	more = big_image(test, 3, &ustack_machine);
	KUNIT_ASSERT_NOT_NULL(test, more);
	KUNIT_EXPECT_TRUE(test, test_cached(&id[0]));
	KUNIT_EXPECT_TRUE(test, test_cached(&id[1]));
	KUNIT_EXPECT_FALSE(test, test_cached(&id[2]));
	ustack_image_get_totals(&now);
	KUNIT_EXPECT_EQ(test, now.tables, 3);
	KUNIT_EXPECT_EQ(test, now.table_bytes, 3 * bytes_of(more));
	KUNIT_EXPECT_EQ(test, now.idle, 2);
	ustack_image_put(more);
}

/*
 * The old and the new table exist at the same time: both are charged until the
 * old one is freed.
 */
static void budget_reload(struct kunit *test)
{
	struct ustack_image *image = test_image(test, 1);
	int i;

	ustack_budget_mb = 1;
	for (i = 0; i < 8; i++)
		ustack_image_load(image, test_code(test, big_nr(test), 8), false);
	KUNIT_EXPECT_EQ(test, ustack_budget_bytes(), bytes_of(image));
	ustack_image_put(image);
}

/* Records of files without a table stay: they would free no table bytes. */
static void budget_spares_untabled(struct kunit *test)
{
	struct ustack_image *big, *small;
	struct ustack_identity id;

	ustack_budget_mb = 1;
	small = test_image(test, 2);
	id = small->id;
	ustack_image_put(small);
	big = test_image(test, 1);
	ustack_image_load(big, test_code(test, 3 * big_nr(test), 8), false);
	KUNIT_EXPECT_NULL(test, big_image(test, 3, &ustack_machine));
	KUNIT_EXPECT_TRUE_MSG(test, test_cached(&id),
			      "a remembered file was forgotten for nothing");
	ustack_image_put(big);
}

/* An account like that of an unprivileged user. */
static struct ustack_payer *user(struct kunit *test, unsigned int uid)
{
	struct ustack_payer *payer = kunit_kzalloc(test, sizeof(*payer), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, payer);
	payer->uid = KUIDT_INIT(uid);
	payer->refs = 1;
	INIT_LIST_HEAD(&payer->idle_tables);
	return payer;
}

/* A user who fills their share loses their own tables; nobody else does. */
static void budget_share(struct kunit *test)
{
	struct ustack_payer *hostile = user(test, 1), *other = user(test, 2);
	struct ustack_image *mine[3], *theirs, *image;
	struct ustack_identity idle;
	int i;

	/* a share has room for three tables */
	ustack_budget_mb = 4;
	theirs = big_image(test, 100, other);
	KUNIT_ASSERT_NOT_NULL(test, theirs);
	idle = theirs->id;
	ustack_image_put(theirs);
	for (i = 0; i < 3; i++) {
		mine[i] = big_image(test, i, hostile);
		KUNIT_ASSERT_NOT_NULL(test, mine[i]);
	}
	KUNIT_EXPECT_NULL_MSG(test, big_image(test, 3, hostile),
			      "a user has more than a share");
	KUNIT_EXPECT_TRUE_MSG(test, test_cached(&idle),
			      "another user's idle table had to go for it");
	/* the user's own idle tables are evicted */
	ustack_image_put(mine[0]);
	image = big_image(test, 4, hostile);
	KUNIT_EXPECT_NOT_NULL(test, image);
	KUNIT_EXPECT_TRUE(test, test_cached(&idle));
	/* and others still have their share */
	theirs = big_image(test, 101, other);
	KUNIT_EXPECT_NOT_NULL(test, theirs);
	ustack_image_put(theirs);
	ustack_image_put(image);
	ustack_image_put(mine[1]);
	ustack_image_put(mine[2]);
	test_evict_all();
	rcu_barrier();
	KUNIT_EXPECT_EQ(test, hostile->bytes + hostile->idle_bytes, 0);
	KUNIT_EXPECT_EQ(test, other->bytes + other->idle_bytes, 0);
	KUNIT_EXPECT_EQ(test, hostile->refs, 1);
}

/* Users who act together leave the machine one share and its idle tables. */
static void budget_users_together(struct kunit *test)
{
	struct ustack_image *image[16], *idle;
	struct ustack_identity id;
	u32 i, n = 0;

	ustack_budget_mb = 4;
	idle = big_image(test, 100, &ustack_machine);
	KUNIT_ASSERT_NOT_NULL(test, idle);
	id = idle->id;
	ustack_image_put(idle);
	for (i = 0; i < 16; i++) {
		image[n] = big_image(test, i, user(test, i / 3));
		n += !!image[n];
	}
	KUNIT_EXPECT_GE(test, n, 9);
	KUNIT_EXPECT_LE(test, n, 10);
	KUNIT_EXPECT_TRUE(test, test_cached(&id));
	idle = big_image(test, 101, &ustack_machine);
	KUNIT_EXPECT_NOT_NULL(test, idle);
	ustack_image_put(idle);
	while (n--)
		ustack_image_put(image[n]);
	test_evict_all();
	rcu_barrier();
}

/*
 * Only a few builds run at once, and one for each user; a build from a remote
 * file keeps no local one waiting.
 */
static void turns(struct kunit *test)
{
	struct ustack_payer *a = user(test, 1), *b = user(test, 2);
	struct ustack_turn local, remote, second, third;

	KUNIT_ASSERT_TRUE(test, ustack_turn_take(&remote, a, 100, true));
	KUNIT_EXPECT_FALSE(test, ustack_turn_take(&second, a, 100, true));
	KUNIT_ASSERT_TRUE(test, ustack_turn_take(&second, b, 100, true));
	KUNIT_EXPECT_FALSE(test, ustack_turn_take(&third, user(test, 3), 100, true));
	KUNIT_ASSERT_TRUE(test, ustack_turn_take(&local, a, 100, false));
	KUNIT_EXPECT_EQ(test, a->builds, 1);
	ustack_turn_give(&local);
	ustack_turn_give(&second);
	ustack_turn_give(&remote);
	KUNIT_EXPECT_EQ(test, a->builds + a->remote_builds + b->remote_builds, 0);
}

static void case_exit(struct kunit *test)
{
	ustack_budget_mb = USTACK_BUDGET_MB_DEFAULT;
	test_expect_clean(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_SLOW(budget_evicts_oldest),
	KUNIT_CASE_SLOW(budget_reload),
	KUNIT_CASE_SLOW(budget_spares_untabled),
	KUNIT_CASE_SLOW(budget_share),
	KUNIT_CASE_SLOW(budget_users_together),
	KUNIT_CASE(turns),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_budget",
	.suite_init = test_images_init,
	.suite_exit = test_images_exit,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
