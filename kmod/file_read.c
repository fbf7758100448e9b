// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls kernel_read() in a loop, for the core's file interface. Called by
 * builders, in process context; may sleep.
 */
#include "file_read.h"

#include <linux/mm.h>
#include <linux/slab.h>

#include "limits.h"

struct kernel_file {
	struct ustack_file file;
	struct file *filp;
};

static bool read_exact(struct file *filp, u64 off, void *buf, u64 len)
{
	loff_t pos = off;
	ssize_t n;

	while (len) {
		n = kernel_read(filp, buf, min_t(u64, len, SZ_1M), &pos);
		if (n <= 0)
			return false;
		buf += n;
		len -= n;
		cond_resched();
	}
	return true;
}

static bool core_read(const struct ustack_file *file, u64 off, void *buf,
		      u32 len)
{
	return read_exact(container_of(file, struct kernel_file, file)->filp,
			  off, buf, len);
}

enum ustack_reason ustack_file_elf(struct file *file, struct ustack_elf *ret)
{
	struct kernel_file kf = {
		.file = {
			.size = i_size_read(file_inode(file)),
			.read = core_read,
		},
		.filp = file,
	};

	might_sleep();
	return ustack_elf_read(&kf.file, ret);
}

enum ustack_reason ustack_file_snapshot(struct file *file, u64 off, u32 len,
					u8 **ret)
{
	u8 *bytes;

	might_sleep();
	if (len > USTACK_MAX_SECTION)
		return USTACK_TOO_LARGE;
	bytes = kvmalloc(len, USTACK_GFP_LARGE);
	if (!bytes)
		return USTACK_NO_MEMORY;
	if (!read_exact(file, off, bytes, len)) {
		kvfree(bytes);
		return USTACK_READ_ERROR;
	}
	*ret = bytes;
	return USTACK_OK;
}
