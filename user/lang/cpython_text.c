// SPDX-License-Identifier: GPL-2.0-only
/* Lengths are the process's own words: nothing is allocated or read by them that has no bound. */
#include "lang/cpython_text.h"

#include <stdlib.h>
#include <string.h>

#include "lang/text.h"
#include "util/poison.h"

/* Where the length and the state stand in a str, and bytes in a bytes object. */
#define LENGTH 16
#define STATE 32
#define STR_HEAD 36u
#define BYTES_HEAD 24u
#define BYTES_DATA 32u

/* The state's bits, from the lowest on: interned (2), bytes of a character (3), compact, ASCII. */
static unsigned int bytes_of(uint32_t state)
{
	return state >> 2 & 7;
}

static bool is_compact(uint32_t state)
{
	return state >> 5 & 1;
}

static bool is_ascii(uint32_t state)
{
	return state >> 6 & 1;
}

static uint32_t character(const uint8_t *bytes, unsigned int size, size_t i)
{
	uint32_t c = 0;

	memcpy(&c, bytes + i * size, size);
	return c;
}

int cpython_text(const struct lang_memory *m, const struct cpython_strings *s, uint64_t addr,
		 char *ret)
{
	uint8_t head[STR_HEAD], text[4 * CPYTHON_TEXT];
	unsigned int size;
	uint32_t state;
	int64_t len;
	char *to = ret;
	size_t i, nr;

	if (!lang_memory_read(m, addr, head, sizeof(head)))
		return -1;
	memcpy(&len, head + LENGTH, sizeof(len));
	memcpy(&state, head + STATE, sizeof(state));
	size = bytes_of(state);
	if (len < 0 || !is_compact(state) || (size != 1 && size != 2 && size != 4))
		return -1;
	nr = len > CPYTHON_TEXT ? CPYTHON_TEXT : (size_t)len;
	if (!lang_memory_read(m, addr + (is_ascii(state) ? s->ascii : s->other), text, nr * size))
		return -1;
	for (i = 0; i < nr; i++)
		to = lang_text_put(to, character(text, size, i));
	if ((size_t)len > nr)
		to = lang_text_put(to, LANG_TEXT_MORE);
	*to = '\0';
	return (int)(to - ret);
}

bool cpython_bytes(const struct lang_memory *m, uint64_t addr, uint8_t **ret, size_t *len)
{
	uint8_t head[BYTES_HEAD], *bytes;
	int64_t size;

	if (!lang_memory_read(m, addr, head, sizeof(head)))
		return false;
	memcpy(&size, head + LENGTH, sizeof(size));
	if (size < 0 || size > CPYTHON_MAX_TABLE)
		return false;
	bytes = malloc(size ? (size_t)size : 1);
	if (!bytes || !lang_memory_read(m, addr + BYTES_DATA, bytes, (size_t)size)) {
		free(bytes);
		return false;
	}
	*ret = bytes;
	*len = (size_t)size;
	return true;
}
