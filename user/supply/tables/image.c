// SPDX-License-Identifier: GPL-2.0-only
/* Adds up, moves and drops the parts of a file's table. answer.c puts them into bins. */
#include "supply/tables/image.h"

#include "util/poison.h"

uint64_t image_bytes(const struct tables_image *image)
{
	uint64_t sum = image->bytes;
	unsigned int i;

	for (i = 0; i < TABLES_PARTS - 1; i++)
		sum += image->more[i].bytes;
	return sum;
}

void image_drop_rest(struct tables_image *image, struct bins *b)
{
	unsigned int i;

	for (i = 0; i < TABLES_PARTS - 1; i++) {
		if (image->more[i].bytes)
			bins_drop(b, image->more[i].place, image->more[i].bytes);
		image->more[i] = (struct tables_part){ 0 };
	}
}

static void move(struct bins *b, unsigned int from, __u64 *place, uint32_t bytes)
{
	if (bytes && *place / TABLES_BIN_BYTES == from)
		__atomic_store_n(place, bins_move(b, *place, bytes), __ATOMIC_RELEASE);
}

void image_move(struct tables_image *image, struct bins *b, unsigned int from)
{
	unsigned int i;

	move(b, from, &image->place, image->bytes);
	for (i = 0; i < TABLES_PARTS - 1; i++)
		move(b, from, &image->more[i].place, image->more[i].bytes);
}
