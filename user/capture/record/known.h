/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Images by what a profile's mapping says of them: so that a profile that was handed out
 * gets names that were found later.
 */
#ifndef USTACK_USER_RECORD_KNOWN_H
#define USTACK_USER_RECORD_KNOWN_H

#include "profile/profile.h"
#include "symbols/symstore/symstore.h"
#include "util/strings.h"

/**
 * struct known - mappings' images
 * @keys: file, build id and address of each
 * @image: by number of @keys; NULL if it has been let go
 */
struct known {
	struct strings keys;
	struct symstore_image **image;
	size_t nr;
	size_t room;
};

/* Return: 0 or -ENOMEM; to be released in either case. */
int known_init(struct known *k);
void known_release(struct known *k);

/* A mapping of @p is of @image. Return: 0 or -ENOMEM. */
int known_add(struct known *k, const struct profile *p, uint32_t mapping,
	      struct symstore_image *image);

/* No mapping is of @image any more. */
void known_drop(struct known *k, const struct symstore_image *image);
/* After that: without what was dropped. Return: 0 or -ENOMEM, and nothing has changed. */
int known_compact(struct known *k);

/* Return: its image, NULL if it is not known. */
struct symstore_image *known_find(const struct known *k, const struct profile *p,
				  uint32_t mapping);

#endif /* USTACK_USER_RECORD_KNOWN_H */
