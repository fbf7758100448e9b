/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds an image by the contents of a profile's mapping. With it a profile that
 * was handed out before can still get names that were found later.
 */
#ifndef USTACK_USER_RECORD_KNOWN_H
#define USTACK_USER_RECORD_KNOWN_H

#include "profile/profile.h"
#include "symbols/symstore/symstore.h"
#include "util/strings.h"

/**
 * struct known - images by mapping
 * @keys: address, build id and file of each mapping, as text
 * @image: image by number in @keys; NULL if it was released
 * @nr: number of entries in @image
 * @room: entries that @image has memory for
 */
struct known {
	struct strings keys;
	struct symstore_image **image;
	size_t nr;
	size_t room;
};

/* Return: 0 or -ENOMEM; must be released in either case. */
int known_init(struct known *k);
void known_release(struct known *k);

/* Notes that @mapping of @p belongs to @image. Return: 0 or -ENOMEM. */
int known_add(struct known *k, const struct profile *p, uint32_t mapping,
	      struct symstore_image *image);

/* Removes @image, which is about to be released. */
void known_drop(struct known *k, const struct symstore_image *image);
/*
 * Frees the memory of removed images. Return: 0; -ENOMEM, and then nothing has
 * changed.
 */
int known_compact(struct known *k);

/* Return: the image of a mapping, NULL if it is not known. */
struct symstore_image *known_find(const struct known *k, const struct profile *p,
				  uint32_t mapping);

#endif /* USTACK_USER_RECORD_KNOWN_H */
