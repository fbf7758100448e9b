/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of a record in the making, and of one that is read: U, S and D of
 * Documentation/store.md, of which the first is buffer_uleb(). What is taken where there is
 * nothing gives 0, and @failed says so at the end: one check for many calls.
 */
#ifndef USTACK_USER_STORE_BYTES_H
#define USTACK_USER_STORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"

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
