/* SPDX-License-Identifier: GPL-2.0-only */
/* Build: a file becomes an image's table. The half that reads and sleeps. */
#ifndef USTACK_BUILD_H
#define USTACK_BUILD_H

#include <linux/fs.h>

#include "image.h"

/* Where an image was first met, for events and people. */
struct ustack_image_place {
	pid_t pid;
	u64 start;
	u64 end;
};

/**
 * ustack_image_build() - read the file and build its table, if nobody has
 * @image: used by the caller
 * @file: the file, open for reading
 * @place: where it is mapped
 *
 * Context: process, may sleep, not under mmap_lock.
 */
void ustack_image_build(struct ustack_image *image, struct file *file,
			const struct ustack_image_place *place);

/* The vDSO brings no table: lists it as an image without one. */
void ustack_image_meet_vdso(struct ustack_image *image,
			    const struct ustack_image_place *place);

#endif /* USTACK_BUILD_H */
