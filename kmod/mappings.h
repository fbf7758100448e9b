/* SPDX-License-Identifier: GPL-2.0-only */
/* Mappings: what of an mm is in its space. */
#ifndef USTACK_MAPPINGS_H
#define USTACK_MAPPINGS_H

#include <linux/mm_types.h>

#include "build.h"
#include "space.h"

/* Whether @mm has a space. Context: any. */
bool ustack_mm_known(const struct mm_struct *mm);

/**
 * ustack_mapping_of() - the mapping of an executable vma
 * @vma: under mmap_lock
 * @gfp: how memory may be had
 * @ret: out: the mapping; its image has a user for the caller
 *
 * Context: any but NMI and hard interrupt.
 * Return: whether there is one: it is executable, and of a readable file or the vDSO.
 */
bool ustack_mapping_of(struct vm_area_struct *vma, gfp_t gfp,
		       struct ustack_mapping *ret);

/* Where @vma is, in the process @pid. */
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
