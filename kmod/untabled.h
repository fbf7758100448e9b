/* SPDX-License-Identifier: GPL-2.0-only */
/* Images without a table, or with a partial one, and the readers of their list. */
#ifndef USTACK_UNTABLED_H
#define USTACK_UNTABLED_H

#include <linux/fs.h>
#include <linux/poll.h>

struct ustack_image;

/*
 * Add puts @image at the end of the list, so that every reader sees it, again
 * if it was listed before; del removes it. Context: images_lock.
 */
void ustack_untabled_add(struct ustack_image *image);
void ustack_untabled_del(struct ustack_image *image);

/* Wakes the readers that wait. Context: any but NMI. */
void ustack_untabled_wake(void);

/* read(2) and poll(2) of /dev/ustack; @cursor is the open file's position. */
ssize_t ustack_untabled_read(struct file *file, u64 *cursor, char __user *buf,
			     size_t len);
__poll_t ustack_untabled_poll(struct file *file, u64 *cursor, poll_table *wait);

#endif /* USTACK_UNTABLED_H */
