// SPDX-License-Identifier: GPL-2.0-only
/*
 * A map in memory (imagemap.h): adding images, sorting, finding, and the store
 * of their texts.
 */
#include "formats/imagemap/imagemap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imagemap/store.h"
#include "util/array.h"

#include "util/poison.h"

unsigned int imagemap_bits(enum imagemap_word word)
{
	return 16u << word;
}

uint64_t imagemap_mask(enum imagemap_word word)
{
	return UINT64_MAX >> (64 - imagemap_bits(word));
}

const char *imagemap_damage_text(enum imagemap_damage damage)
{
	switch (damage) {
	case IMAGEMAP_WHOLE:
		return "whole";
	case IMAGEMAP_BAD_CODE:
		return "the path uses a prefix that is not defined";
	case IMAGEMAP_CUT:
		return "the stream ends inside the path";
	case IMAGEMAP_NUL:
		return "there is a NUL in the path";
	case IMAGEMAP_NOT_UTF8:
		return "the path is not UTF-8";
	}
	return "unknown";
}

void imagemap_release(struct imagemap *map)
{
	free(map->images);
	free(map->text);
	*map = (struct imagemap)IMAGEMAP_INIT;
}

int imagemap_put(struct imagemap *map, const void *bytes, size_t len)
{
	/* position 0 means no text, so the store begins with one unused byte */
	size_t need = map->text_len + !map->text_len + len, room = map->text_room;
	ptrdiff_t own = map->text ? (const char *)bytes - map->text : -1;
	char *text;

	if (len > IMAGEMAP_MAX_TEXT || need > IMAGEMAP_MAX_TEXT)
		return -E2BIG;
	if (need > room) {
		while (room < need)
			room = room ? 2 * room : 4096;
		text = realloc(map->text, room);
		if (!text)
			return -ENOMEM;
		if (own >= 0 && (size_t)own < map->text_len)
			bytes = text + own;
		map->text = text;
		map->text_room = room;
	}
	if (!map->text_len)
		map->text[map->text_len++] = '\0';
	if (len)
		memcpy(map->text + map->text_len, bytes, len);
	map->text_len += len;
	return 0;
}

struct imagemap_image *imagemap_place(struct imagemap *map)
{
	if (!array_has_room(map->images, map->nr, map->room))
		return NULL;
	map->images[map->nr] = (struct imagemap_image){ 0 };
	return &map->images[map->nr];
}

static int put_texts(struct imagemap *map, const struct imagemap_new *n,
		     struct imagemap_image *image)
{
	int err = imagemap_put(map, n->build_id, n->build_id_len);

	image->build_id = (uint32_t)(map->text_len - n->build_id_len);
	image->build_id_len = (uint16_t)n->build_id_len;
	if (err || !n->path || !n->path[0])
		return err;
	err = imagemap_put(map, n->path, strlen(n->path) + 1);
	image->path = (uint32_t)(map->text_len - strlen(n->path) - 1);
	return err;
}

int imagemap_add(struct imagemap *map, const struct imagemap_new *n)
{
	struct imagemap_image *image;
	int err;

	if (n->base >= n->end || n->end & ~imagemap_mask(map->word))
		return -EINVAL;
	if (n->build_id_len > IMAGEMAP_MAX_BUILD_ID || map->nr == IMAGEMAP_MAX_IMAGES)
		return -E2BIG;
	image = imagemap_place(map);
	if (!image)
		return -ENOMEM;
	image->base = n->base;
	image->end = n->end;
	err = put_texts(map, n, image);
	if (!err)
		map->nr++;
	return err;
}

/* Images that are equal keep the order of their texts, which is that of imagemap_add(). */
static int by_base(const void *x, const void *y)
{
	const struct imagemap_image *a = x, *b = y;

	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->build_id < b->build_id ? -1 : a->build_id > b->build_id;
}

void imagemap_sort(struct imagemap *map)
{
	if (map->nr)
		qsort(map->images, map->nr, sizeof(*map->images), by_base);
}

const struct imagemap_image *imagemap_find(const struct imagemap *map, uint64_t addr)
{
	uint32_t low = 0, high = map->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (map->images[mid].base <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	/* one image may be inside another, though no loader does that */
	while (low--)
		if (addr < map->images[low].end)
			return &map->images[low];
	return NULL;
}

const char *imagemap_path(const struct imagemap *map, const struct imagemap_image *i)
{
	return i->path ? map->text + i->path : NULL;
}

const char *imagemap_name(const struct imagemap *map, const struct imagemap_image *i)
{
	const char *path = imagemap_path(map, i), *name = path;

	for (; path && *path; path++)
		if (*path == '/' || *path == '\\')
			name = path + 1;
	return name;
}

const uint8_t *imagemap_build_id(const struct imagemap *map, const struct imagemap_image *i)
{
	return (const uint8_t *)map->text + i->build_id;
}
