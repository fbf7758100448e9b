// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part of util/buffer.h that allocates: growing and releasing a buffer.
 */
#include "util/buffer.h"

#include <stdlib.h>

#include "util/poison.h"

void buffer_release(struct buffer *b)
{
	free(b->at);
	*b = (struct buffer){ 0 };
}

bool buffer_grow(struct buffer *b, size_t more)
{
	size_t room = b->room ? 2 * b->room : 256;
	uint8_t *at;

	while (room - b->len < more && room < SIZE_MAX / 2)
		room *= 2;
	at = room - b->len < more ? NULL : reallocarray(b->at, room, 1);
	if (!at) {
		b->failed = true;
		return false;
	}
	b->at = at;
	b->room = room;
	return true;
}
