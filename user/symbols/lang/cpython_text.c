// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads strings of CPython. Lengths come from the process and are untrusted: each is
 * limited before anything is allocated or read.
 */
#include "symbols/lang/cpython_text.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/lang/text.h"
#include "util/poison.h"

/* Offsets of the length and the state in a str, and of the data in a bytes object. */
#define LENGTH 16
#define STATE 32
#define STR_HEAD 36u
#define BYTES_HEAD 24u
#define BYTES_DATA 32u

/* Fields of the state, from bit 0: interned (2 bits), character size (3), compact, ASCII. */
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

/**
 * struct text - a str being read
 * @head: start of the object
 * @bytes: the characters read
 * @nr: number of characters read
 * @size: bytes of a character
 * @more: the str has more characters
 */
struct text {
	uint8_t head[STR_HEAD];
	uint8_t bytes[4 * CPYTHON_TEXT];
	size_t nr;
	unsigned int size;
	bool more;
};

/* Finds the characters. Return: false if @t->head is not that of a str. */
static bool find_characters(struct text *t, const struct cpython_strings *s, uint64_t addr,
			    struct peek_range *ret)
{
	uint32_t state;
	int64_t len;

	memcpy(&len, t->head + LENGTH, sizeof(len));
	memcpy(&state, t->head + STATE, sizeof(state));
	t->size = bytes_of(state);
	if (len < 0 || !is_compact(state) || (t->size != 1 && t->size != 2 && t->size != 4))
		return false;
	t->more = len > CPYTHON_TEXT;
	t->nr = t->more ? CPYTHON_TEXT : (size_t)len;
	*ret = (struct peek_range){ addr + (is_ascii(state) ? s->ascii : s->other), t->bytes,
				    t->nr * t->size };
	return true;
}

static void put_text(const struct text *t, char *to)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		to = lang_text_put(to, character(t->bytes, t->size, i));
	if (t->more)
		to = lang_text_put(to, LANG_TEXT_MORE);
	*to = '\0';
}

/* Finds the data and allocates memory for it. Return: false if @head is not of a bytes. */
static bool find_bytes(const uint8_t head[BYTES_HEAD], uint64_t addr, struct peek_range *ret)
{
	int64_t size;

	memcpy(&size, head + LENGTH, sizeof(size));
	if (size < 0 || size > CPYTHON_MAX_TABLE)
		return false;
	*ret = (struct peek_range){ addr + BYTES_DATA, malloc(size ? (size_t)size : 1), (size_t)size };
	return ret->buf;
}

bool cpython_texts(const struct lang_memory *m, const struct cpython_strings *s,
		   const struct cpython_objects *from, struct cpython_texts *ret)
{
	struct peek_range range[3];
	uint8_t head[BYTES_HEAD];
	struct text name, file;

	range[0] = (struct peek_range){ from->name, name.head, sizeof(name.head) };
	range[1] = (struct peek_range){ from->file, file.head, sizeof(file.head) };
	range[2] = (struct peek_range){ from->table, head, sizeof(head) };
	if (!lang_memory_read_ranges(m, range, 3) || !find_characters(&name, s, from->name, &range[0]) ||
	    !find_characters(&file, s, from->file, &range[1]) ||
	    !find_bytes(head, from->table, &range[2]))
		return false;
	ret->table = range[2].buf;
	ret->table_len = range[2].len;
	if (!lang_memory_read_ranges(m, range, 3)) {
		free(ret->table);
		ret->table = NULL;
		return false;
	}
	put_text(&name, ret->name);
	put_text(&file, ret->file);
	return true;
}
