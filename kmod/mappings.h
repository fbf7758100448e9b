/* SPDX-License-Identifier: GPL-2.0-only */
/* Mappings: how vmas of an mm become mappings in its space. */
#ifndef USTACK_MAPPINGS_H
#define USTACK_MAPPINGS_H

#include <linux/mm_types.h>

#include "build.h"
#include "space.h"

/* Return: whether @mm has a space. Context: any. */
bool ustack_mm_known(const struct mm_struct *mm);

/**
 * ustack_mapping_of() - make the mapping of an executable vma
 * @vma: the vma, under mmap_lock
 * @gfp: flags for allocating an image
 * @ret: set to the mapping; the caller becomes a user of its image
 *
 * Context: any but NMI and hard interrupt.
 * Return: whether there is one: the vma is executable, and belongs to a
 * readable file or the vDSO.
 */
bool ustack_mapping_of(struct vm_area_struct *vma, gfp_t gfp,
		       struct ustack_mapping *ret);

/* Return: where @vma is, in process @pid. */
static inline struct ustack_image_place
ustack_place_of(const struct vm_area_struct *vma, pid_t pid)
{
	return (struct ustack_image_place){
		.pid = pid,
		.start = vma->vm_start,
		.end = vma->vm_end,
	};
}

#endif /* USTACK_MAPPINGS_H */
