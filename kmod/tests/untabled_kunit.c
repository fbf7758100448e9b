// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the readers of images without a table: records, cursors, waiting. */
#include "support.h"

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

/*
 * Kernel threads have no user memory: buffers are in kernel memory. The bytes
 * from this address on cannot be written.
 */
static u8 *unwritable;

static unsigned long to_buffer(void __user *to, const void *from,
			       unsigned long n)
{
	u8 *buf = (__force u8 *)to;

	if (unwritable && buf + n > unwritable)
		return n;
	memcpy(buf, from, n);
	return 0;
}

#undef copy_to_user
#define copy_to_user to_buffer
#include "../untabled.c"
#undef copy_to_user

u64 test_next_untabled(u64 after,
		       void (*fn)(const struct ustack_image *image, void *arg),
		       void *arg)
{
	return next_untabled(after, fn, arg);
}

#define BUF 4096u

static const struct ustack_image_place place = {
	.pid = 42, .start = 0x1000, .end = 0x5000
};

struct fixture {
	struct file file;	/* only its flags are used */
	u64 cursor;
	u8 buf[BUF];
	struct ustack_image *image[3];
};

/* @file's image, built; the caller gets a reference. */
static struct ustack_image *built(struct kunit *test, struct file *file)
{
	struct ustack_image *image = test_image_of(test, file);

	ustack_image_build(image, file, &place);
	return image;
}

static struct fixture *fixture(struct kunit *test, u32 nr)
{
	struct fixture *f;
	u32 i;

	f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, f);
	f->file.f_flags = O_NONBLOCK;
	for (i = 0; i < nr; i++)
		f->image[i] = built(test, test_file(test, 0));
	return f;
}

static void done(struct fixture *f)
{
	int i;

	for (i = 0; i < 3; i++)
		if (f->image[i])
			ustack_image_put(f->image[i]);
}

static ssize_t read_into(struct fixture *f, size_t len)
{
	return ustack_untabled_read(&f->file, &f->cursor,
				    (__force char __user *)f->buf, len);
}

static const struct ustack_event *event_at(struct fixture *f, size_t off)
{
	return (const void *)(f->buf + off);
}

static void records(struct kunit *test)
{
	struct fixture *f = fixture(test, 3);
	const struct ustack_event *e;
	ssize_t n = read_into(f, BUF);
	size_t off = 0;
	int i;

	KUNIT_ASSERT_GT(test, n, 0);
	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_LT(test, off, (size_t)n);
		e = event_at(f, off);
		KUNIT_EXPECT_EQ(test, e->size % 8, 0);
		KUNIT_EXPECT_EQ(test, e->type, USTACK_EVENT_NO_TABLE);
		KUNIT_EXPECT_EQ(test, e->reason, USTACK_NO_SECTION);
		KUNIT_EXPECT_EQ(test, e->pid, 42);
		KUNIT_EXPECT_EQ(test, e->start, 0x1000);
		KUNIT_EXPECT_EQ(test, e->end, 0x5000);
		KUNIT_EXPECT_EQ(test, e->ino, f->image[i]->id.ino);
		KUNIT_EXPECT_EQ(test, e->dev, f->image[i]->id.dev);
		KUNIT_EXPECT_EQ(test, e->file_size, f->image[i]->id.size);
		KUNIT_EXPECT_EQ(test, e->vdso, 0);
		KUNIT_EXPECT_EQ(test, e->build_id_len, 8);
		KUNIT_EXPECT_EQ(test, e->build_id[7], 8);
		KUNIT_EXPECT_STREQ(test, e->path, f->image[i]->path);
		KUNIT_EXPECT_LT(test, strlen(e->path), e->size - sizeof(*e));
		off += e->size;
	}
	KUNIT_EXPECT_EQ(test, off, (size_t)n);
	KUNIT_EXPECT_EQ(test, read_into(f, BUF), -EAGAIN);
	done(f);
}

/* Only whole records are returned; the next read returns what did not fit. */
static void small_buffer(struct kunit *test)
{
	struct fixture *f = fixture(test, 3);
	ssize_t n, i;

	KUNIT_EXPECT_EQ(test, read_into(f, 16), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, f->cursor, 0);
	n = read_into(f, BUF);
	f->cursor = 0;
	n /= 3;
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, read_into(f, n), n);
		KUNIT_EXPECT_EQ(test, event_at(f, 0)->ino, f->image[i]->id.ino);
	}
	KUNIT_EXPECT_EQ(test, read_into(f, n), -EAGAIN);
	f->cursor = 0;
	KUNIT_EXPECT_EQ(test, read_into(f, 3 * n - 1), 2 * n);
	KUNIT_EXPECT_EQ(test, read_into(f, BUF), n);
	done(f);
}

static void bad_buffer(struct kunit *test)
{
	struct fixture *f = fixture(test, 2);
	ssize_t n;

	unwritable = f->buf;
	KUNIT_EXPECT_EQ(test, read_into(f, BUF), -EFAULT);
	KUNIT_EXPECT_EQ(test, f->cursor, 0);
	unwritable = NULL;
	n = read_into(f, BUF) / 2;
	f->cursor = 0;
	/* the second record faults: the first is delivered, neither is lost */
	unwritable = f->buf + n;
	KUNIT_EXPECT_EQ(test, read_into(f, BUF), n);
	unwritable = NULL;
	KUNIT_EXPECT_EQ(test, read_into(f, BUF), n);
	KUNIT_EXPECT_EQ(test, event_at(f, 0)->ino, f->image[1]->id.ino);
	done(f);
}

static void readers_do_not_share(struct kunit *test)
{
	struct fixture *f = fixture(test, 2);
	ssize_t n = read_into(f, BUF);
	u64 behind = f->cursor;

	f->cursor = 0;
	KUNIT_EXPECT_EQ(test, read_into(f, BUF), n);
	KUNIT_EXPECT_EQ(test, f->cursor, behind);
	done(f);
}

static void polling(struct kunit *test)
{
	struct fixture *f = fixture(test, 1);

	KUNIT_EXPECT_EQ(test, ustack_untabled_poll(&f->file, &f->cursor, NULL),
			EPOLLIN | EPOLLRDNORM);
	KUNIT_EXPECT_GT(test, read_into(f, BUF), 0);
	KUNIT_EXPECT_EQ(test, ustack_untabled_poll(&f->file, &f->cursor, NULL),
			0);
	done(f);
}

struct sleeper {
	struct fixture *f;
	ssize_t ret;
	struct completion done;
};

static int sleep_in_read(void *arg)
{
	struct sleeper *s = arg;

	s->ret = read_into(s->f, BUF);
	complete(&s->done);
	return 0;
}

static void reader_wakes(struct kunit *test)
{
	struct fixture *f = fixture(test, 1);
	struct task_struct *task;
	struct sleeper *s;
	struct file *file;

	s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s);
	KUNIT_EXPECT_GT(test, read_into(f, BUF), 0);
	f->file.f_flags = 0;
	s->f = f;
	init_completion(&s->done);
	task = kthread_run(sleep_in_read, s, "ustack-sleeper");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	msleep(50);
	/* woken although there is nothing to read */
	ustack_untabled_wake();
	msleep(50);
	KUNIT_EXPECT_FALSE(test, completion_done(&s->done));

	file = test_file(test, 0);
	f->image[1] = built(test, file);
	KUNIT_ASSERT_NE(test, 0, wait_for_completion_timeout(&s->done, 10 * HZ));
	KUNIT_EXPECT_GT(test, s->ret, 0);
	KUNIT_EXPECT_EQ(test, event_at(f, 0)->ino, file_inode(file)->i_ino);
	done(f);
}

static void case_exit(struct kunit *test)
{
	unwritable = NULL;
	test_expect_clean(test);
}

/*
 * A reader reports that it did not find the file: the next process that maps it
 * causes another event.
 */
static void again(struct kunit *test)
{
	static const struct ustack_image_place next = {
		.pid = 4711, .start = 0x5000, .end = 0x6000,
	};
	struct file *with_table = test_file(test, 4), *file = test_file(test, 0);
	struct fixture *f = fixture(test, 0);
	struct ustack_identity id;

	ustack_identity_of(file_inode(file), &id);
	KUNIT_EXPECT_FALSE(test, ustack_image_ask_again(id.dev, id.ino, id.size));
	f->image[0] = test_image_of(test, file);
	/* so that the file was not written just now */
	msleep(30);
	ustack_image_build(f->image[0], file, &place);
	KUNIT_EXPECT_GT(test, read_into(f, BUF), 0);
	KUNIT_EXPECT_FALSE(test, ustack_image_ask_again(id.dev + 1, id.ino, id.size));
	KUNIT_EXPECT_FALSE(test, ustack_image_ask_again(id.dev, id.ino + 1, id.size));
	KUNIT_EXPECT_FALSE(test, ustack_image_ask_again(id.dev, id.ino, id.size + 1));
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(f->image[0]));

	KUNIT_EXPECT_TRUE(test, ustack_image_ask_again(id.dev, id.ino, id.size));
	KUNIT_EXPECT_TRUE(test, ustack_image_wants_build(f->image[0]));
	KUNIT_EXPECT_EQ(test, read_into(f, BUF), -EAGAIN);
	ustack_image_build(f->image[0], file, &next);
	KUNIT_EXPECT_GT(test, read_into(f, BUF), 0);
	KUNIT_EXPECT_EQ(test, event_at(f, 0)->pid, 4711);
	KUNIT_EXPECT_EQ(test, event_at(f, 0)->start, 0x5000);
	KUNIT_EXPECT_EQ(test, event_at(f, 0)->ino, id.ino);
	/* only once */
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(f->image[0]));

	/* not for an image that has a table */
	ustack_identity_of(file_inode(with_table), &id);
	f->image[1] = built(test, with_table);
	KUNIT_EXPECT_FALSE(test, ustack_image_ask_again(id.dev, id.ino, id.size));
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(f->image[1]));
	done(f);
}

static enum ustack_reason reported(struct ustack_image *image)
{
	return image->serial ? image->reason : USTACK_OK;
}

/* The file's own table stays until another covers more of the text. */
static void load_over_partial(struct kunit *test)
{
	struct file *file = test_file_with_room(test, 10, 12);
	struct ustack_image *image = built(test, file);

	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 8);
	KUNIT_EXPECT_EQ(test, reported(image), USTACK_PARTIAL);
	KUNIT_EXPECT_TRUE(test, ustack_image_wants_table(image));
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_build(image));
	KUNIT_EXPECT_TRUE(test, ustack_image_ask_again(image->id.dev, image->id.ino,
						       image->id.size));
	KUNIT_EXPECT_TRUE(test, ustack_image_wants_build(image));
	ustack_image_build(image, file, &place);
	KUNIT_EXPECT_EQ(test, reported(image), USTACK_PARTIAL);
	KUNIT_EXPECT_FALSE(test, ustack_image_load(image, test_code(test, 10, 64),
						   false));
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 8);
	KUNIT_EXPECT_EQ(test, reported(image), USTACK_PARTIAL);
	KUNIT_EXPECT_TRUE(test, ustack_image_load(image, test_code(test, 11, 64),
						  false));
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 64);
	KUNIT_EXPECT_EQ(test, reported(image), USTACK_OK);
	/* a table that was loaded is replaced, whatever it covers */
	KUNIT_EXPECT_TRUE(test, ustack_image_load(image, test_code(test, 2, 72),
						  false));
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 72);
	ustack_image_put(image);
}

/* Eleven of twelve functions are nine tenths. */
static void load_over_own(struct kunit *test)
{
	struct ustack_image *image = built(test, test_file_with_room(test, 11, 12));

	KUNIT_EXPECT_EQ(test, reported(image), USTACK_OK);
	KUNIT_EXPECT_FALSE(test, ustack_image_wants_table(image));
	KUNIT_EXPECT_FALSE(test, ustack_image_load(image, test_code(test, 12, 64),
						   false));
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 8);
	KUNIT_EXPECT_TRUE(test, ustack_image_load(image, test_code(test, 1, 64),
						  true));
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 64);
	ustack_image_put(image);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(records),
	KUNIT_CASE(small_buffer),
	KUNIT_CASE(bad_buffer),
	KUNIT_CASE(readers_do_not_share),
	KUNIT_CASE(polling),
	KUNIT_CASE(reader_wakes),
	KUNIT_CASE(again),
	KUNIT_CASE(load_over_partial),
	KUNIT_CASE(load_over_own),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_untabled",
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
