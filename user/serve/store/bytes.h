/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers in a record, for writing and reading: U, S and D of Documentation/store.md. U is written
 * by buffer_uleb(). A number that is missing or out of range makes the cursor bad.
 */
#ifndef USTACK_USER_STORE_BYTES_H
#define USTACK_USER_STORE_BYTES_H

#include <stdint.h>

#include "util/buffer.h"
#include "util/cursor.h"

/* Maps signed numbers to unsigned ones so that small negative numbers stay small. */
static inline uint64_t store_zigzag(uint64_t v)
{
	return v << 1 ^ (v >> 63 ? UINT64_MAX : 0);
}

/* Writes an S. */
static inline void store_put_s(struct buffer *b, uint64_t v)
{
	buffer_uleb(b, store_zigzag(v));
}

/* Writes a D. */
static inline void store_put_d(struct buffer *b, uint64_t *last, uint64_t v)
{
	store_put_s(b, v - *last);
	*last = v;
}

/* Reads a U. */
static inline uint64_t store_take_u(struct cursor *c)
{
	return cursor_varint(c);
}

/* Reads an S. */
static inline uint64_t store_take_s(struct cursor *c)
{
	uint64_t v = store_take_u(c);

	return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
}

/* Reads a D. */
static inline uint64_t store_take_d(struct cursor *c, uint64_t *last)
{
	*last += store_take_s(c);
	return *last;
}

/* Reads a U that must be below @limit. */
static inline uint32_t store_take_below(struct cursor *c, uint64_t limit)
{
	uint64_t v = store_take_u(c);

	if (v < limit)
		return (uint32_t)v;
	c->bad = true;
	return 0;
}

/* Reads a D that must be below @limit. */
static inline uint32_t store_take_d_below(struct cursor *c, uint64_t *last, uint64_t limit)
{
	uint64_t v = store_take_d(c, last);

	if (v < limit)
		return (uint32_t)v;
	c->bad = true;
	return 0;
}

/* Reads the number of items that follow: at most @limit, and at least one byte each. */
static inline uint32_t store_take_count(struct cursor *c, uint64_t limit)
{
	uint64_t v = store_take_u(c);

	if (v <= cursor_left(c) && v <= limit)
		return (uint32_t)v;
	c->bad = true;
	return 0;
}

#endif /* USTACK_USER_STORE_BYTES_H */
