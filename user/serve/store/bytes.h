/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of a record that is written or read: U, S and D of Documentation/store.md. U is written
 * by buffer_uleb(). A number that is not there, or is out of its range, makes the cursor bad.
 */
#ifndef USTACK_USER_STORE_BYTES_H
#define USTACK_USER_STORE_BYTES_H

#include <stdint.h>

#include "util/buffer.h"
#include "util/cursor.h"

/* Small of either sign is small. */
static inline uint64_t store_zigzag(uint64_t v)
{
	return v << 1 ^ (v >> 63 ? UINT64_MAX : 0);
}

/* S */
static inline void store_put_s(struct buffer *b, uint64_t v)
{
	buffer_uleb(b, store_zigzag(v));
}

/* D */
static inline void store_put_d(struct buffer *b, uint64_t *last, uint64_t v)
{
	store_put_s(b, v - *last);
	*last = v;
}

/* U */
static inline uint64_t store_take_u(struct cursor *c)
{
	return cursor_varint(c);
}

/* S */
static inline uint64_t store_take_s(struct cursor *c)
{
	uint64_t v = store_take_u(c);

	return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
}

static inline uint64_t store_take_d(struct cursor *c, uint64_t *last)
{
	*last += store_take_s(c);
	return *last;
}

/* A number below @limit; others fail. */
static inline uint32_t store_take_below(struct cursor *c, uint64_t limit)
{
	uint64_t v = store_take_u(c);

	if (v < limit)
		return (uint32_t)v;
	c->bad = true;
	return 0;
}

static inline uint32_t store_take_d_below(struct cursor *c, uint64_t *last, uint64_t limit)
{
	uint64_t v = store_take_d(c, last);

	if (v < limit)
		return (uint32_t)v;
	c->bad = true;
	return 0;
}

/* How many things follow, of which each has a byte at least and there may be @limit. */
static inline uint32_t store_take_count(struct cursor *c, uint64_t limit)
{
	uint64_t v = store_take_u(c);

	if (v <= cursor_left(c) && v <= limit)
		return (uint32_t)v;
	c->bad = true;
	return 0;
}

#endif /* USTACK_USER_STORE_BYTES_H */
