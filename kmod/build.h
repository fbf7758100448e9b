/* SPDX-License-Identifier: GPL-2.0-only */
/* Build: makes an image's table from a file. Reads the file, and may sleep. */
#ifndef USTACK_BUILD_H
#define USTACK_BUILD_H

#include <linux/fs.h>

#include "image.h"

/* Where an image was first met, for events and for people. */
struct ustack_image_place {
	pid_t pid;
	u64 start;
	u64 end;
};

/**
 * ustack_image_build() - read the file and build its table, unless it has been done
 * @image: the image; the caller is a user of it
 * @file: the file, open for reading
 * @place: where the file is mapped
 *
 * Context: process, may sleep, not under mmap_lock.
 */
void ustack_image_build(struct ustack_image *image, struct file *file,
			const struct ustack_image_place *place);

/* Lists the vDSO as an image without a table, as it brings none. */
void ustack_image_meet_vdso(struct ustack_image *image,
			    const struct ustack_image_place *place);

#endif /* USTACK_BUILD_H */
