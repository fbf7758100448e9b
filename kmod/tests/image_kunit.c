// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the image cache: identity, who builds, budget and eviction, loaded
 * tables, the order of untabled images, and readers of tables under RCU.
 */
#include "support.h"

#include <kunit/test-bug.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>

#include "file_read.h"

/* Called while a file is being read; NULL: nothing is. */
static void (*while_reading)(struct file *file, void *arg);
static void *while_reading_arg;
static atomic_t nr_reads;

static enum ustack_reason watched_file_elf(struct file *file,
					   struct ustack_elf *ret)
{
	enum ustack_reason reason = ustack_file_elf(file, ret);

	atomic_inc(&nr_reads);
	if (while_reading)
		while_reading(file, while_reading_arg);
	return reason;
}

#include "../image.c"
#define ustack_file_elf watched_file_elf
#include "../build.c"
#undef ustack_file_elf

unsigned int ustack_budget_mb = USTACK_BUDGET_MB_DEFAULT;

static const struct ustack_image_place place = {
	.pid = 4711, .start = 0x400000, .end = 0x401000
};

static unsigned long evict(unsigned long nr)
{
	struct shrink_control sc = { .nr_to_scan = nr };

	return shrink_scan(NULL, &sc);
}

u32 test_evict_all(void)
{
	struct ustack_image_totals left;

	evict(ULONG_MAX);
	ustack_image_get_totals(&left);
	return left.images;
}

/* @file's image after an attempt to build it; the caller gets a reference. */
static struct ustack_image *built(struct kunit *test, struct file *file)
{
	struct ustack_image *image = test_image_of(test, file);

	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_EQ(test, image->state, USTACK_IMAGE_DONE);
	return image;
}

static bool has_table(const struct ustack_image *image)
{
	return rcu_access_pointer(image->code);
}

bool test_cached(const struct ustack_identity *id)
{
	bool found;

	spin_lock_bh(&ustack_images_lock);
	found = find(bucket_of(id), id);
	spin_unlock_bh(&ustack_images_lock);
	return found;
}

/* ---- identity ------------------------------------------------------------ */

static void identity_fields(struct kunit *test)
{
	static const struct ustack_identity base = {
		.dev = 1, .ino = 2, .size = 3, .ctime_sec = 4,
		.ctime_nsec = 5, .generation = 6,
	};
	struct ustack_identity id[8];
	struct ustack_image *image[8];
	unsigned int i, j;

	for (i = 0; i < 8; i++)
		id[i] = base;
	id[1].dev++;
	id[2].ino++;
	id[3].size++;
	id[4].ctime_sec++;
	id[5].ctime_nsec++;
	id[6].generation++;
	id[7].kind = USTACK_IMAGE_VDSO;
	for (i = 0; i < 8; i++) {
		image[i] = ustack_image_get(&id[i], GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, image[i]);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_PTR_NE(test, image[i], image[j]);
	}
	for (i = 0; i < 8; i++) {
		KUNIT_EXPECT_PTR_EQ(test, image[i],
				    ustack_image_get(&id[i], GFP_ATOMIC));
		KUNIT_EXPECT_EQ(test, test_users(image[i]), 2);
		ustack_image_put(image[i]);
		ustack_image_put(image[i]);
	}
}

static void identity_of_file(struct kunit *test)
{
	struct file *file = test_file(test, 4), *other = test_file(test, 4);
	struct ustack_identity a, b;
	loff_t pos = 0;

	ustack_identity_of(file_inode(file), &a);
	ustack_identity_of(file_inode(file), &b);
	KUNIT_EXPECT_MEMEQ(test, &a, &b, sizeof(a));
	ustack_identity_of(file_inode(other), &b);
	KUNIT_EXPECT_MEMNEQ(test, &a, &b, sizeof(a));
	/* the same size, but other contents and a later time */
	msleep(50);
	KUNIT_ASSERT_EQ(test, 1, kernel_write(file, "\x7f", 1, &pos));
	ustack_identity_of(file_inode(file), &b);
	KUNIT_EXPECT_EQ(test, a.size, b.size);
	KUNIT_EXPECT_MEMNEQ(test, &a, &b, sizeof(a));
}

/* ---- building ------------------------------------------------------------ */

static void build_once(struct kunit *test)
{
	struct file *file = test_file(test, 100);
	struct ustack_image *image = test_image_of(test, file);
	struct ustack_image_totals now;
	int reads = atomic_read(&nr_reads);

	KUNIT_EXPECT_TRUE(test, ustack_image_is_new(image));
	KUNIT_EXPECT_TRUE(test, ustack_image_wants_build(image));
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_EQ(test, image->state, USTACK_IMAGE_DONE);
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_OK);
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(image));
	KUNIT_EXPECT_TRUE(test, has_table(image));
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 8);
	KUNIT_EXPECT_EQ(test, image->build_id_len, 8);
	KUNIT_EXPECT_EQ(test, image->build_id[7], 8);
	KUNIT_EXPECT_EQ(test, image->pid, place.pid);
	KUNIT_EXPECT_NOT_NULL(test, image->path);
	KUNIT_EXPECT_EQ(test, image->serial, 0);
	ustack_image_get_totals(&now);
	KUNIT_EXPECT_EQ(test, now.tables, 1);
	KUNIT_EXPECT_EQ(test, now.table_bytes,
			rcu_dereference_protected(image->code, true)->bytes);
	/* nobody reads the file again */
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(image));
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_reads), reads + 1);
	ustack_image_put(image);
	/* the next process finds the image */
	KUNIT_EXPECT_PTR_EQ(test, image, test_image_of(test, file));
	KUNIT_EXPECT_TRUE(test, has_table(image));
	ustack_image_put(image);
}

static void refuse(struct kunit *test, const char *what, struct file *file,
		   enum ustack_reason reason, bool again)
{
	struct ustack_image *image;

	/* so that the file was not written just now */
	msleep(30);
	image = built(test, file);
	KUNIT_EXPECT_EQ_MSG(test, image->reason, reason, "%s", what);
	KUNIT_EXPECT_FALSE_MSG(test, has_table(image), "%s", what);
	KUNIT_EXPECT_NE_MSG(test, image->serial, 0, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, ustack_image_wants_build(image), again, "%s",
			    what);
	ustack_image_put(image);
}

static void poke(struct kunit *test, struct file *file, loff_t pos, u8 byte)
{
	KUNIT_ASSERT_EQ(test, 1, kernel_write(file, &byte, 1, &pos));
}

static void build_refused(struct kunit *test)
{
	struct file *file;

	refuse(test, "script", test_file_of(test, "#!/bin/sh\n", 10),
	       USTACK_NOT_ELF, false);
	refuse(test, "empty", test_file_of(test, "", 0), USTACK_NOT_ELF, false);
	refuse(test, "no section", test_file(test, 0), USTACK_NO_SECTION, false);
	file = test_file(test, 4);
	poke(test, file, 4, 1);
	refuse(test, "32 bit", file, USTACK_ELF_CLASS, false);
	file = test_file(test, 4);
	poke(test, file, 18, 183);
	refuse(test, "the other architecture", file, USTACK_ELF_MACHINE, false);
	file = test_file(test, 4);
	poke(test, file, TEST_TEXT + 4 * TEST_FUNC_BYTES + 2, 9);
	refuse(test, "version 9", file, USTACK_BAD_VERSION, false);
	/* the segment reaches past the end of file: the section is cut off */
	file = test_file(test, 4);
	KUNIT_ASSERT_EQ(test, 0, vfs_truncate(&file->f_path,
					      i_size_read(file_inode(file)) - 8));
	refuse(test, "cut off", file, USTACK_TRUNCATED, false);
}

static void change_file(struct file *file, void *arg)
{
	loff_t pos = 0x900;

	msleep(50);
	kernel_write(file, "x", 1, &pos);
}

static void build_changed(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct ustack_image *image;

	while_reading = change_file;
	image = built(test, file);
	while_reading = NULL;
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_CHANGED);
	KUNIT_EXPECT_FALSE(test, has_table(image));
	/* The file has another identity now, and with that one it is good. */
	ustack_image_put(image);
	image = built(test, file);
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_OK);
	KUNIT_EXPECT_TRUE(test, has_table(image));
	ustack_image_put(image);
}

/* A file that was just written may change again without a new change time. */
static void build_racy(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct ustack_image *image;
	loff_t pos = 0x900;

	KUNIT_ASSERT_EQ(test, 1, kernel_write(file, "x", 1, &pos));
	image = built(test, file);
	KUNIT_EXPECT_TRUE(test, has_table(image));
	KUNIT_EXPECT_TRUE(test, ustack_image_wants_build(image));
	KUNIT_EXPECT_FALSE(test, ustack_image_is_new(image));
	msleep(50);
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_TRUE(test, has_table(image));
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(image));
	ustack_image_put(image);
}

struct builder {
	struct ustack_image *image;
	struct file *file;
	struct completion *go;
	struct completion done;
};

static int run_builder(void *arg)
{
	struct builder *b = arg;

	wait_for_completion(b->go);
	ustack_image_build(b->image, b->file, &place);
	complete(&b->done);
	return 0;
}

static void be_slow(struct file *file, void *arg)
{
	msleep(20);
}

static void build_race(struct kunit *test)
{
	int reads = atomic_read(&nr_reads);
	struct completion go;
	struct builder *b;
	struct task_struct *task;
	struct file *file;
	int i, round;

	b = kunit_kcalloc(test, 4, sizeof(*b), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, b);
	while_reading = be_slow;
	for (round = 0; round < 10; round++) {
		file = test_file(test, 50);
		init_completion(&go);
		for (i = 0; i < 4; i++) {
			b[i].image = test_image_of(test, file);
			b[i].file = file;
			b[i].go = &go;
			init_completion(&b[i].done);
			task = kthread_run(run_builder, &b[i], "ustack-build");
			KUNIT_ASSERT_FALSE(test, IS_ERR(task));
		}
		complete_all(&go);
		for (i = 0; i < 4; i++)
			wait_for_completion(&b[i].done);
		KUNIT_EXPECT_EQ(test, test_users(b[0].image), 4);
		KUNIT_EXPECT_EQ(test, test_cfa_off(b[0].image), 8);
		for (i = 0; i < 4; i++)
			ustack_image_put(b[i].image);
	}
	while_reading = NULL;
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_reads), reads + 10);
}

static u64 bytes_of(struct ustack_image *image)
{
	return rcu_dereference_protected(image->code, true)->bytes;
}

/* ---- a full budget, and idle images -------------------------------------------- */

/*
 * A file that did not fit is tried again once there is room, and only then read
 * again; after that it is no longer untabled.
 */
static void budget_may_pass(struct kunit *test)
{
	struct file *file = test_file(test, 20000);
	struct ustack_image *image;
	int reads;

	ustack_budget_mb = 0;
	image = built(test, file);
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_BUDGET);
	KUNIT_EXPECT_NE(test, image->serial, 0);
	KUNIT_EXPECT_FALSE(test, ustack_image_is_new(image));
	msleep(50);
	KUNIT_EXPECT_FALSE_MSG(test, ustack_image_may_pass(image),
			       "it is built at each mapping for nothing");
	reads = atomic_read(&nr_reads);
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_reads), reads);
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_BUDGET);
	ustack_budget_mb = 1;
	KUNIT_EXPECT_TRUE(test, ustack_image_wants_build(image));
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_OK);
	KUNIT_EXPECT_TRUE(test, has_table(image));
	KUNIT_EXPECT_EQ_MSG(test, image->serial, 0,
			    "readers are told of a table that is not missing");
	ustack_image_put(image);
}

static void idle_limit(struct kunit *test)
{
	struct ustack_image_totals now;
	struct ustack_image *image;
	struct ustack_identity first;
	u64 i;

	for (i = 0; i < USTACK_MAX_IDLE_IMAGES; i++) {
		image = test_image(test, i);
		if (!i)
			first = image->id;
		ustack_image_put(image);
	}
	KUNIT_EXPECT_TRUE(test, test_cached(&first));
	for (; i < USTACK_MAX_IDLE_IMAGES + 10; i++)
		ustack_image_put(test_image(test, i));
	KUNIT_EXPECT_FALSE(test, test_cached(&first));
	ustack_image_get_totals(&now);
	KUNIT_EXPECT_EQ(test, now.idle, USTACK_MAX_IDLE_IMAGES);
	KUNIT_EXPECT_EQ(test, now.images, USTACK_MAX_IDLE_IMAGES);
}

static void shrinker_frees_idle(struct kunit *test)
{
	struct shrink_control sc = { 0 };
	struct ustack_image *image[5];
	int i;

	KUNIT_EXPECT_EQ(test, shrink_count(NULL, &sc), SHRINK_EMPTY);
	KUNIT_EXPECT_EQ(test, evict(3), SHRINK_STOP);
	for (i = 0; i < 5; i++)
		image[i] = test_image(test, i);
	KUNIT_EXPECT_EQ(test, shrink_count(NULL, &sc), SHRINK_EMPTY);
	for (i = 0; i < 5; i++)
		ustack_image_put(image[i]);
	KUNIT_EXPECT_EQ(test, shrink_count(NULL, &sc), 5);
	KUNIT_EXPECT_EQ(test, evict(3), 3);
	KUNIT_EXPECT_EQ(test, evict(3), 2);
	KUNIT_EXPECT_EQ(test, evict(3), SHRINK_STOP);
}

/* ---- tables that were loaded ------------------------------------------------- */

static void load_now(struct file *file, void *arg)
{
	struct ustack_image *image = arg;
	struct kunit *test = kunit_get_current_test();

	KUNIT_EXPECT_EQ(test, image->state, USTACK_IMAGE_BUILDING);
	ustack_image_load(image, test_code(test, 10, 64), false);
}

static void load_wins(struct kunit *test)
{
	struct file *file = test_file(test, 10);
	struct ustack_image *image = test_image_of(test, file);
	struct ustack_image_totals now;

	/* while its own table is being built */
	while_reading_arg = image;
	while_reading = load_now;
	ustack_image_build(image, file, &place);
	while_reading = NULL;
	KUNIT_EXPECT_EQ(test, image->state, USTACK_IMAGE_DONE);
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 64);
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_OK);
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(image));
	ustack_image_get_totals(&now);
	KUNIT_EXPECT_EQ(test, now.tables, 1);
	KUNIT_EXPECT_EQ(test, now.table_bytes, bytes_of(image));
	/* a second table is loaded */
	ustack_image_load(image, test_code(test, 10, 72), false);
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 72);
	ustack_image_get_totals(&now);
	KUNIT_EXPECT_EQ(test, now.tables, 1);
	ustack_image_put(image);
}

static void load_before_build(struct kunit *test)
{
	struct file *file = test_file(test, 0);
	struct ustack_image *image = test_image_of(test, file);
	int reads = atomic_read(&nr_reads);

	ustack_image_load(image, test_code(test, 10, 64), false);
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(image));
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_reads), reads);
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 64);
	ustack_image_put(image);
}

/* The build finds no table, but one is loaded: no reader is told about it. */
static void load_spares_readers(struct kunit *test)
{
	struct file *file = test_file(test, 0);
	struct ustack_image *image = test_image_of(test, file);

	while_reading_arg = image;
	while_reading = load_now;
	ustack_image_build(image, file, &place);
	while_reading = NULL;
	KUNIT_EXPECT_EQ(test, image->serial, 0);
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_OK);
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 64);
	ustack_image_put(image);
}

static void regions(struct kunit *test)
{
	static const struct ustack_identity id = { .kind = USTACK_IMAGE_REGION };
	struct ustack_image *a, *b;
	struct ustack_image_totals now;

	a = ustack_image_get_region(test_code(test, 10, 8));
	b = ustack_image_get_region(test_code(test, 10, 16));
	KUNIT_ASSERT_NOT_NULL(test, a);
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_EXPECT_PTR_NE(test, a, b);
	KUNIT_EXPECT_FALSE(test, test_cached(&id));
	KUNIT_EXPECT_EQ(test, test_cfa_off(a), 8);
	KUNIT_EXPECT_EQ(test, test_cfa_off(b), 16);
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(a));
	/* regions are not cached: the image is freed with its last user */
	ustack_image_hold(a);
	ustack_image_put(a);
	ustack_image_put(a);
	ustack_image_get_totals(&now);
	KUNIT_EXPECT_EQ(test, now.images, 1);
	KUNIT_EXPECT_EQ(test, now.tables, 1);
	KUNIT_EXPECT_EQ(test, now.idle, 0);
	ustack_image_put(b);
}

/* ---- file systems -------------------------------------------------------------- */

/*
 * When a file system is shut down, what was known of its device is forgotten,
 * whether it is in use or not.
 */
static void forget_device(struct kunit *test)
{
	struct file *file = test_file(test, 10);
	struct ustack_image *used = built(test, file), *idle, *other, *now;
	struct ustack_identity id = used->id, idle_id, other_id;

	idle_id = other_id = id;
	idle_id.ino++;
	other_id.dev++;
	idle = ustack_image_get(&idle_id, GFP_KERNEL);
	other = ustack_image_get(&other_id, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, idle);
	KUNIT_ASSERT_NOT_NULL(test, other);
	ustack_image_put(idle);
	ustack_image_forget_device(id.dev);
	KUNIT_EXPECT_FALSE(test, test_cached(&id));
	KUNIT_EXPECT_FALSE(test, test_cached(&idle_id));
	KUNIT_EXPECT_TRUE(test, test_cached(&other_id));
	/* another file system on that device may have the same identity */
	now = test_image_of(test, file);
	KUNIT_EXPECT_PTR_NE(test, now, used);
	KUNIT_EXPECT_FALSE(test, has_table(now));
	/* a list that still used the image releases it */
	KUNIT_EXPECT_TRUE(test, has_table(used));
	ustack_image_put(used);
	ustack_image_put(now);
	ustack_image_put(other);
	/* all of them have been subtracted from the count */
	test_evict_all();
	KUNIT_EXPECT_EQ(test, *on_device_of(id.dev), 0);
}

static struct ustack_image *image_with_trust(struct kunit *test, struct file *file,
					     enum ustack_trust trust)
{
	struct ustack_identity id;
	struct ustack_image *image;

	ustack_identity_of(file_inode(file), &id);
	id.trust = trust;
	image = ustack_image_get(&id, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, image);
	return image;
}

/* The same build ID: nothing is built. Another: the table is removed. */
static void remote_file(struct kunit *test)
{
	struct file *file = test_file(test, 10);
	struct ustack_image *image = image_with_trust(test, file, USTACK_TRUST_REMOTE);
	struct ustack_code *code;
	int reads;

	msleep(50);
	ustack_image_build(image, file, &place);
	/*
	 * this identity and the file's own differ in trust, so the result is
	 * CHANGED, without a table
	 */
	ustack_image_load(image, test_code(test, 10, 64), false);
	KUNIT_EXPECT_TRUE(test, ustack_image_wants_build(image));
	code = rcu_dereference_protected(image->code, true);
	reads = atomic_read(&nr_reads);
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_reads), reads + 1);
	KUNIT_EXPECT_PTR_EQ_MSG(test, code, rcu_dereference_protected(image->code, true),
				"a table was made anew for the same build id");
	KUNIT_EXPECT_EQ(test, image->state, USTACK_IMAGE_DONE);
	image->build_id[0] ^= 1;
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_FALSE_MSG(test, image->loaded,
			       "a table that was loaded for another build stayed");
	ustack_image_put(image);
}

/* Nothing is cached that a process can change unnoticed. */
static void user_file(struct kunit *test)
{
	struct file *file = test_file(test, 10);
	struct ustack_image *image = image_with_trust(test, file, USTACK_TRUST_USER);
	struct ustack_identity id = image->id;

	ustack_image_load(image, test_code(test, 10, 64), false);
	ustack_image_put(image);
	KUNIT_EXPECT_FALSE(test, test_cached(&id));
}

/*
 * With a file system that stores only seconds, a file that changed half a
 * second ago may change again with the same time.
 */
static void coarse_times(struct kunit *test)
{
	struct file *file = test_file(test, 10);
	struct super_block *sb = file_inode(file)->i_sb;
	u32 gran = sb->s_time_gran;
	struct ustack_identity id;

	msleep(100);
	ustack_identity_of(file_inode(file), &id);
	KUNIT_EXPECT_FALSE(test, is_racy(&id, file));
	sb->s_time_gran = NSEC_PER_SEC;
	KUNIT_EXPECT_TRUE(test, is_racy(&id, file));
	sb->s_time_gran = gran;
}

static void names_are_escaped(struct kunit *test)
{
	char *name = printable("/tmp/a\n[    6.9] Kernel panic");

	KUNIT_ASSERT_NOT_NULL(test, name);
	KUNIT_EXPECT_STREQ(test, name, "/tmp/a\\n[    6.9] Kernel panic");
	kfree(name);
	KUNIT_EXPECT_NULL(test, printable(NULL));
}

/* ---- the untabled --------------------------------------------------------------- */

static void name_it(const struct ustack_image *image, void *arg)
{
	*(u64 *)arg = image->id.ino;
}

static u64 next(u64 after, u64 *ino)
{
	*ino = 0;
	return test_next_untabled(after, name_it, ino);
}

static void untabled_order(struct kunit *test)
{
	struct ustack_image *image[3];
	struct file *file[3];
	u64 serial, first, ino, start = 0;
	int i;

	KUNIT_EXPECT_EQ(test, 0, next(start, &ino));
	for (i = 0; i < 3; i++) {
		file[i] = test_file(test, 0);
		image[i] = built(test, file[i]);
	}
	first = next(0, &ino);
	KUNIT_EXPECT_GT(test, first, start);
	KUNIT_EXPECT_EQ(test, ino, image[0]->id.ino);
	serial = next(first, &ino);
	KUNIT_EXPECT_EQ(test, ino, image[1]->id.ino);
	serial = next(serial, &ino);
	KUNIT_EXPECT_EQ(test, ino, image[2]->id.ino);
	KUNIT_EXPECT_EQ(test, 0, next(serial, &ino));

	/* one gets a table: the others keep their places */
	ustack_image_load(image[1], test_code(test, 1, 8), false);
	KUNIT_EXPECT_EQ(test, image[2]->serial, next(first, &ino));

	/* one is evicted: a reader of its entry continues after it */
	ustack_image_put(image[0]);
	KUNIT_EXPECT_EQ(test, evict(1), 1);
	KUNIT_EXPECT_EQ(test, image[2]->serial, next(0, &ino));
	KUNIT_EXPECT_EQ(test, image[2]->serial, next(first, &ino));

	/* when it is met again it is a new one, after all others */
	image[0] = built(test, file[0]);
	KUNIT_EXPECT_EQ(test, image[0]->serial, next(serial, &ino));
	KUNIT_EXPECT_EQ(test, ino, image[0]->id.ino);
	for (i = 0; i < 3; i++)
		ustack_image_put(image[i]);
}

static void vdso_is_untabled(struct kunit *test)
{
	struct ustack_identity id = { .kind = USTACK_IMAGE_VDSO };
	struct ustack_image *image = ustack_image_get(&id, GFP_KERNEL);
	u64 serial, ino;

	KUNIT_ASSERT_NOT_NULL(test, image);
	ustack_image_meet_vdso(image, &place);
	serial = image->serial;
	KUNIT_EXPECT_NE(test, serial, 0);
	KUNIT_EXPECT_EQ(test, image->reason, USTACK_NO_SECTION);
	KUNIT_EXPECT_EQ(test, image->start, place.start);
	/* every process meets it, but it is listed once */
	ustack_image_meet_vdso(image, &place);
	KUNIT_EXPECT_EQ(test, image->serial, serial);
	KUNIT_EXPECT_EQ(test, serial, next(serial - 1, &ino));
	ustack_image_put(image);
}

/* ---- readers of a table while others take its place -------------------------------- */

struct table_readers {
	struct ustack_image *image;
	atomic_t seen;
	atomic_t bad;
};

static int read_tables(void *arg)
{
	const struct ustack_rule *rule;
	const struct ustack_code *code;
	struct table_readers *r = arg;
	u32 i;

	while (!kthread_should_stop()) {
		rcu_read_lock();
		code = rcu_dereference(r->image->code);
		for (i = 0; code && i < 100; i++) {
			rule = ustack_code_lookup(code, TEST_TEXT +
						  i * TEST_FUNC_BYTES);
			atomic_inc(&r->seen);
			if (!rule ||
			    rule->cfa != (i & 1 ? USTACK_OP_FP : USTACK_OP_SP) ||
			    rule->cfa_off < 8 || rule->cfa_off > 120)
				atomic_inc(&r->bad);
		}
		rcu_read_unlock();
		cond_resched();
	}
	return 0;
}

static void rcu_tables(struct kunit *test)
{
	unsigned long end = jiffies + HZ / 2;
	struct task_struct *task[2];
	struct table_readers *r;
	u8 cfa = 8;
	int i;

	r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, r);
	r->image = test_image(test, 1);
	for (i = 0; i < 2; i++) {
		task[i] = kthread_run(read_tables, r, "ustack-reader-%d", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(task[i]));
	}
	do {
		ustack_image_load(r->image, test_code(test, 100, cfa), false);
		cfa = cfa % 120 + 8;
		cond_resched();
	} while (time_before(jiffies, end));
	for (i = 0; i < 2; i++)
		kthread_stop(task[i]);
	KUNIT_EXPECT_EQ(test, atomic_read(&r->bad), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&r->seen), 0);
	ustack_image_put(r->image);
}

static void case_exit(struct kunit *test)
{
	while_reading = NULL;
	ustack_budget_mb = USTACK_BUDGET_MB_DEFAULT;
	test_expect_clean(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(identity_fields),
	KUNIT_CASE(identity_of_file),
	KUNIT_CASE(build_once),
	KUNIT_CASE(build_refused),
	KUNIT_CASE(build_changed),
	KUNIT_CASE(build_racy),
	KUNIT_CASE(build_race),
	KUNIT_CASE_SLOW(budget_may_pass),
	KUNIT_CASE(forget_device),
	KUNIT_CASE(remote_file),
	KUNIT_CASE(user_file),
	KUNIT_CASE(coarse_times),
	KUNIT_CASE(names_are_escaped),
	KUNIT_CASE(idle_limit),
	KUNIT_CASE(shrinker_frees_idle),
	KUNIT_CASE(load_wins),
	KUNIT_CASE(load_before_build),
	KUNIT_CASE(load_spares_readers),
	KUNIT_CASE(regions),
	KUNIT_CASE(untabled_order),
	KUNIT_CASE(vdso_is_untabled),
	KUNIT_CASE(rcu_tables),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_image",
	.suite_init = test_images_init,
	.suite_exit = test_images_exit,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
