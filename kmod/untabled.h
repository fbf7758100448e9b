/* SPDX-License-Identifier: GPL-2.0 */
/* Readers that wait for images without a table. */
#ifndef USTACK_UNTABLED_H
#define USTACK_UNTABLED_H

#include <linux/fs.h>
#include <linux/poll.h>

/* Wakes who waits. Context: any but NMI. */
void ustack_untabled_wake(void);

/* read(2) and poll(2) of /dev/ustack; @cursor is the open file's position. */
ssize_t ustack_untabled_read(struct file *file, u64 *cursor, char __user *buf,
			     size_t len);
__poll_t ustack_untabled_poll(struct file *file, u64 *cursor, poll_table *wait);

#endif /* USTACK_UNTABLED_H */
