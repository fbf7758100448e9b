/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/imagemap: where a map keeps its texts. */
#ifndef USTACK_USER_IMAGEMAP_STORE_H
#define USTACK_USER_IMAGEMAP_STORE_H

#include "formats/imagemap/imagemap.h"

/* The mask of an address, all ones of 16, 32 or 64 bits. */
uint64_t imagemap_mask(enum imagemap_word word);

/* Appends bytes, which may be the map's own. Return: 0; -E2BIG, -ENOMEM. */
int imagemap_put(struct imagemap *map, const void *bytes, size_t len);

/* The last image's, which is not there yet. Return: it; NULL without memory. */
struct imagemap_image *imagemap_place(struct imagemap *map);

#endif /* USTACK_USER_IMAGEMAP_STORE_H */
