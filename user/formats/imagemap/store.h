/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/imagemap: the store of a map's texts and images.
 */
#ifndef USTACK_USER_IMAGEMAP_STORE_H
#define USTACK_USER_IMAGEMAP_STORE_H

#include "formats/imagemap/imagemap.h"

/* Return: mask of an address, 16, 32 or 64 ones. */
uint64_t imagemap_mask(enum imagemap_word word);

/* Appends bytes to the texts; @bytes may be among them. Return: 0; -E2BIG; -ENOMEM. */
int imagemap_put(struct imagemap *map, const void *bytes, size_t len);

/*
 * Makes room for one more image. @map->nr does not count it yet: the caller
 * increments it when the image is complete. Return: the image, all zeros; NULL
 * if there is no memory.
 */
struct imagemap_image *imagemap_place(struct imagemap *map);

#endif /* USTACK_USER_IMAGEMAP_STORE_H */
