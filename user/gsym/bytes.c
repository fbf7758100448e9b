// SPDX-License-Identifier: GPL-2.0
#include "gsym/bytes.h"

#include <stdlib.h>

#include "util/poison.h"

void gsym_bytes_release(struct gsym_bytes *b)
{
	free(b->at);
	*b = (struct gsym_bytes){ 0 };
}

bool gsym_bytes_grow(struct gsym_bytes *b, size_t more)
{
	size_t room = b->room ? 2 * b->room : 256;
	uint8_t *at;

	while (room - b->len < more && room < SIZE_MAX / 2)
		room *= 2;
	at = room - b->len < more ? NULL : realloc(b->at, room);
	if (!at) {
		b->failed = true;
		return false;
	}
	b->at = at;
	b->room = room;
	return true;
}
