// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts the parts of a file's table into bins, moves and drops them. The first part is published by
 * answer.c, after all others; collect.c moves and frees them.
 */
#include "supply/tables/image.h"

#include <string.h>

#include "util/poison.h"

_Static_assert(TABLES_PARTS == CODE_MAX_TABLES, "there is room for all parts");

uint64_t image_bytes(const struct tables_image *image)
{
	uint64_t sum = image->bytes;
	unsigned int i;

	for (i = 0; i < TABLES_PARTS - 1; i++)
		sum += image->more[i].bytes;
	return sum;
}

int image_put_rest(struct tables_image *image, const struct code *c,
		   int (*put)(void *arg, const struct ustack_table *part, uint64_t *place), void *arg)
{
	uint64_t place;
	unsigned int i;
	int err;

	/* the number may have belonged to a file with more parts */
	memset(image->more, 0, sizeof(image->more));
	for (i = 1; i < c->nr_tables; i++) {
		err = put(arg, c->tables[i], &place);
		if (err)
			return err;
		image->more[i - 1] = (struct tables_part){
			.from = c->from[i], .place = place, .bytes = c->tables[i]->size,
		};
	}
	return 0;
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
