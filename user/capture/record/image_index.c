// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table of images, by the file, build id and address that a profile's
 * mapping has. See image_index.h; names.c and name_locations.c use it.
 */
#include "capture/record/image_index.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

/* A path is shorter than PATH_MAX; a build id and an address stand before it. */
#define KEY_BYTES 4200

int image_index_init(struct image_index *k)
{
	*k = (struct image_index){ .nr = 0 };
	return strings_init(&k->keys);
}

void image_index_release(struct image_index *k)
{
	strings_release(&k->keys);
	free(k->image);
}

static size_t key_of(const struct profile *p, uint32_t mapping, char key[KEY_BYTES])
{
	const struct profile_mapping *m = &p->mappings[mapping];
	int len = snprintf(key, KEY_BYTES, "%" PRIx64 " %s %s", m->start,
			   profile_text(p, m->build_id), profile_text(p, m->file));

	return len < KEY_BYTES ? (size_t)len : KEY_BYTES - 1;
}

static int put(struct image_index *k, const char *key, size_t len, struct symstore_image *image)
{
	uint32_t number;
	int err = strings_add(&k->keys, key, len, &number);

	while (!err && k->nr <= number) {
		if (!array_has_room(k->image, k->nr, k->room))
			return -ENOMEM;
		k->image[k->nr++] = NULL;
	}
	if (!err)
		k->image[number] = image;
	return err;
}

int image_index_add(struct image_index *k, const struct profile *p, uint32_t mapping,
		    struct symstore_image *image)
{
	char key[KEY_BYTES];
	size_t len = key_of(p, mapping, key);

	return put(k, key, len, image);
}

void image_index_drop(struct image_index *k, const struct symstore_image *image)
{
	size_t i;

	for (i = 0; i < k->nr; i++)
		if (k->image[i] == image)
			k->image[i] = NULL;
}

int image_index_compact(struct image_index *k)
{
	struct image_index next;
	size_t i;
	int err = image_index_init(&next);

	for (i = 0; !err && i < k->nr; i++)
		if (k->image[i])
			err = put(&next, k->keys.entries[i].s, k->keys.entries[i].len,
				  k->image[i]);
	if (err) {
		image_index_release(&next);
		return err;
	}
	image_index_release(k);
	*k = next;
	return 0;
}

struct symstore_image *image_index_find(const struct image_index *k, const struct profile *p,
					uint32_t mapping)
{
	char key[KEY_BYTES];
	size_t len = key_of(p, mapping, key);
	uint32_t number = strings_find(&k->keys, key, len);

	return number && number < k->nr ? k->image[number] : NULL;
}
