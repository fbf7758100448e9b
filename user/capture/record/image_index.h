/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds an image by the contents of a profile's mapping. With it a profile that
 * was handed out before can still get names that were found later.
 */
#ifndef USTACK_USER_RECORD_IMAGE_INDEX_H
#define USTACK_USER_RECORD_IMAGE_INDEX_H

#include "profile/profile.h"
#include "symbols/symstore/symstore.h"
#include "util/strings.h"

/**
 * struct image_index - images by mapping
 * @keys: address, build id and file of each mapping, as text
 * @image: image by number in @keys; NULL if it was released
 * @nr: number of entries in @image
 * @room: entries that @image has memory for
 */
struct image_index {
	struct strings keys;
	struct symstore_image **image;
	size_t nr;
	size_t room;
};

/* Return: 0 or -ENOMEM; must be released in either case. */
int image_index_init(struct image_index *k);
void image_index_release(struct image_index *k);

/* Notes that @mapping of @p belongs to @image. Return: 0 or -ENOMEM. */
int image_index_add(struct image_index *k, const struct profile *p, uint32_t mapping,
		    struct symstore_image *image);

/* Removes @image, which is about to be released. */
void image_index_drop(struct image_index *k, const struct symstore_image *image);
/*
 * Frees the memory of removed images. Return: 0; -ENOMEM, and then nothing has
 * changed.
 */
int image_index_compact(struct image_index *k);

/* Return: the image of a mapping, NULL if it is not known. */
struct symstore_image *image_index_find(const struct image_index *k, const struct profile *p,
					uint32_t mapping);

#endif /* USTACK_USER_RECORD_IMAGE_INDEX_H */
