// SPDX-License-Identifier: GPL-2.0-only
/*
 * The readers of images without a table, or with a partial one. There is no
 * queue that could overflow: a reader's cursor is the serial number of the last
 * image it was told about, and the images themselves are the list.
 */
#include "untabled.h"

#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "image.h"
#include "limits.h"
#include "ustack.h"

static DECLARE_WAIT_QUEUE_HEAD(readers);

/* Sorted by serial; protected by images_lock. */
static struct rb_root untabled_images = RB_ROOT;
static u64 last_serial;

#define EVENT_MAX ALIGN(sizeof(struct ustack_event) + USTACK_MAX_PATH, 8)

static bool serial_less(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct ustack_image, untabled)->serial <
	       rb_entry(b, struct ustack_image, untabled)->serial;
}

void ustack_untabled_del(struct ustack_image *image)
{
	lockdep_assert_held(&ustack_images_lock);
	if (image->serial)
		rb_erase(&image->untabled, &untabled_images);
	image->serial = 0;
}

void ustack_untabled_add(struct ustack_image *image)
{
	ustack_untabled_del(image);
	image->serial = ++last_serial;
	rb_add(&image->untabled, &untabled_images, serial_less);
}

/*
 * Calls @fn, if it is not NULL, for the first image with a serial above @after.
 * Returns that serial, 0 if there is none.
 */
static u64 next_untabled(u64 after,
			 void (*fn)(const struct ustack_image *image, void *arg),
			 void *arg)
{
	struct ustack_image *image, *found = NULL;
	struct rb_node *node;
	u64 serial = 0;

	spin_lock_bh(&ustack_images_lock);
	for (node = untabled_images.rb_node; node;) {
		image = rb_entry(node, struct ustack_image, untabled);
		if (image->serial > after) {
			found = image;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	if (found)
		serial = found->serial;
	if (found && fn)
		fn(found, arg);
	spin_unlock_bh(&ustack_images_lock);
	return serial;
}

void ustack_untabled_wake(void)
{
	wake_up_interruptible(&readers);
}

static void fill(const struct ustack_image *image, void *arg)
{
	struct ustack_event *e = arg;
	size_t len = image->path ? strlen(image->path) + 1 : 1;

	memset(e, 0, EVENT_MAX);
	e->size = ALIGN(sizeof(*e) + len, 8);
	e->type = USTACK_EVENT_NO_TABLE;
	e->reason = image->reason;
	e->pid = image->pid;
	e->start = image->start;
	e->end = image->end;
	e->dev = image->id.dev;
	e->ino = image->id.ino;
	e->file_size = image->id.size;
	e->vdso = image->id.kind == USTACK_IMAGE_VDSO;
	e->build_id_len = image->build_id_len;
	memcpy(e->build_id, image->build_id, image->build_id_len);
	if (image->path)
		memcpy(e->path, image->path, len);
}

static bool any_after(u64 cursor)
{
	return next_untabled(cursor, NULL, NULL);
}

/* Copies as many whole records as fit. Returns the number of bytes copied. */
static ssize_t read_some(u64 *cursor, struct ustack_event *e, char __user *buf,
			 size_t len)
{
	size_t done = 0;
	u64 serial;

	for (;;) {
		serial = next_untabled(*cursor, fill, e);
		if (!serial)
			return done;
		if (e->size > len - done)
			return done ?: -EMSGSIZE;
		if (copy_to_user(buf + done, e, e->size))
			return done ?: -EFAULT;
		*cursor = serial;
		done += e->size;
		cond_resched();
	}
}

ssize_t ustack_untabled_read(struct file *file, u64 *cursor, char __user *buf,
			     size_t len)
{
	struct ustack_event *e;
	ssize_t done;

	e = kmalloc(EVENT_MAX, GFP_KERNEL);
	if (!e)
		return -ENOMEM;
	for (;;) {
		done = read_some(cursor, e, buf, len);
		if (done)
			break;
		done = -EAGAIN;
		if (file->f_flags & O_NONBLOCK)
			break;
		done = wait_event_interruptible(readers, any_after(*cursor));
		if (done)
			break;
	}
	kfree(e);
	return done;
}

__poll_t ustack_untabled_poll(struct file *file, u64 *cursor, poll_table *wait)
{
	poll_wait(file, &readers, wait);
	return any_after(*cursor) ? EPOLLIN | EPOLLRDNORM : 0;
}
