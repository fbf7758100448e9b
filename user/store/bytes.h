/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes of a record in the making, and those of one that is read. What is put where there
 * is no memory, or taken where there is nothing, is lost and gives 0; @failed says so at the
 * end: one check for many calls.
 */
#ifndef USTACK_USER_STORE_BYTES_H
#define USTACK_USER_STORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gsym/leb.h"

struct store_bytes {
	uint8_t *at;
	size_t len;
	size_t room;
	bool failed;
};

static inline void store_bytes_release(struct store_bytes *b)
{
	free(b->at);
	*b = (struct store_bytes){ 0 };
}

/* Return: where @more bytes may be written; NULL if there is no memory. */
static inline uint8_t *store_bytes_begin(struct store_bytes *b, size_t more)
{
	size_t room = b->room ? b->room : 4096;
	uint8_t *at;

	if (b->room - b->len >= more)
		return b->at + b->len;
	while (room - b->len < more && room < SIZE_MAX / 2)
		room *= 2;
	at = room - b->len < more ? NULL : reallocarray(b->at, room, 1);
	if (!at) {
		b->failed = true;
		return NULL;
	}
	b->at = at;
	b->room = room;
	return b->at + b->len;
}

static inline void store_put(struct store_bytes *b, const void *bytes, size_t len)
{
	uint8_t *to = store_bytes_begin(b, len);

	if (!to)
		return;
	memcpy(to, bytes, len);
	b->len += len;
}

/* U of Documentation/store.md */
static inline void store_put_u(struct store_bytes *b, uint64_t v)
{
	uint8_t *to = store_bytes_begin(b, LEB_MAX);

	if (to)
		b->len = (size_t)(uleb_put(to, v) - b->at);
}

/* Small of either sign is small. */
static inline uint64_t store_zigzag(uint64_t v)
{
	return v << 1 ^ (v >> 63 ? UINT64_MAX : 0);
}

/* S */
static inline void store_put_s(struct store_bytes *b, uint64_t v)
{
	store_put_u(b, store_zigzag(v));
}

/* D */
static inline void store_put_d(struct store_bytes *b, uint64_t *last, uint64_t v)
{
	store_put_s(b, v - *last);
	*last = v;
}

struct store_cursor {
	const uint8_t *at;
	size_t left;
	bool failed;
};

static inline uint64_t store_take_u(struct store_cursor *c)
{
	uint64_t v = 0;
	unsigned int shift;
	uint8_t byte;

	for (shift = 0; c->left && shift < 70; shift += 7) {
		byte = *c->at++;
		c->left--;
		if (shift == 63 && byte > 1)
			break;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	c->failed = true;
	return 0;
}

static inline uint64_t store_take_s(struct store_cursor *c)
{
	uint64_t v = store_take_u(c);

	return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
}

static inline uint64_t store_take_d(struct store_cursor *c, uint64_t *last)
{
	*last += store_take_s(c);
	return *last;
}

/* A number below @limit; others fail. */
static inline uint32_t store_take_below(struct store_cursor *c, uint64_t limit)
{
	uint64_t v = store_take_u(c);

	if (v < limit)
		return (uint32_t)v;
	c->failed = true;
	return 0;
}

static inline uint32_t store_take_d_below(struct store_cursor *c, uint64_t *last, uint64_t limit)
{
	uint64_t v = store_take_d(c, last);

	if (v < limit)
		return (uint32_t)v;
	c->failed = true;
	return 0;
}

/* How many things follow, of which each has a byte at least and there may be @limit. */
static inline uint32_t store_take_count(struct store_cursor *c, uint64_t limit)
{
	uint64_t v = store_take_u(c);

	if (v <= c->left && v <= limit)
		return (uint32_t)v;
	c->failed = true;
	return 0;
}

#endif /* USTACK_USER_STORE_BYTES_H */
