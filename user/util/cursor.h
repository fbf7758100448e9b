/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cursor: reads untrusted bytes one value after the other, from the front.
 *
 *	struct cursor c = cursor_over(bytes, len);
 *
 *	n = cursor_u32(&c);
 *	text = cursor_take(&c, n);
 *	if (c.bad)
 *		...
 *
 * A read that does not fit returns 0 or NULL, empties the cursor and sets @bad.
 * @bad is never cleared, so a caller may read a whole record and check once. A
 * caller that finds a number out of its range may set @bad itself.
 *
 * There are two other cursors: kmod/core/cursor.h is built into the module, and
 * formats/gsym/read.h into a library with another licence, where each
 * instruction counts.
 */
#ifndef USTACK_USER_CURSOR_H
#define USTACK_USER_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/leb.h"

/**
 * struct cursor - a position in bytes
 * @p: the next byte
 * @end: the first byte that may not be read
 * @swap: numbers do not have the byte order of this machine
 * @bad: a read did not fit
 */
struct cursor {
	const uint8_t *p;
	const uint8_t *end;
	bool swap;
	bool bad;
};

/*
 * Return: a cursor over @len bytes, which are borrowed. Numbers are read in the
 * byte order of this machine. @bytes may be NULL if @len is 0.
 */
static inline struct cursor cursor_over(const void *bytes, size_t len)
{
	static const uint8_t nothing[1];
	const uint8_t *p = bytes ? (const uint8_t *)bytes : nothing;

	return (struct cursor){ p, p + len, false, false };
}

/* Return: a cursor that is empty and bad. */
static inline struct cursor cursor_none(void)
{
	static const uint8_t nothing[1];

	return (struct cursor){ nothing, nothing, false, true };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* A function of its own and cold, so that the inlined readers stay small. */
__attribute__((__noinline__, __cold__, __unused__))
static void cursor_set_bad(struct cursor *c)
{
	c->p = c->end;
	c->bad = true;
}

static inline void cursor_skip(struct cursor *c, uint64_t n)
{
	if (__builtin_expect(n > cursor_left(c), 0))
		cursor_set_bad(c);
	else
		c->p += n;
}

/* Return: the next @n bytes, or NULL. */
static inline const uint8_t *cursor_take(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->p;

	cursor_skip(c, n);
	return c->bad ? NULL : p;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	if (__builtin_expect(c->p == c->end, 0)) {
		cursor_set_bad(c);
		return 0;
	}
	return *c->p++;
}

#define CURSOR_READ(bits)						\
static inline uint##bits##_t cursor_u##bits(struct cursor *c)		\
{									\
	uint##bits##_t v;						\
									\
	if (__builtin_expect(cursor_left(c) < sizeof(v), 0)) {		\
		cursor_set_bad(c);					\
		return 0;						\
	}								\
	memcpy(&v, c->p, sizeof(v));					\
	c->p += sizeof(v);						\
	return c->swap ? __builtin_bswap##bits(v) : v;			\
}
CURSOR_READ(16)
CURSOR_READ(32)
CURSOR_READ(64)

/* Reads a LEB128 number of more than one byte, of at most @most bytes. */
__attribute__((__unused__))
static uint64_t cursor_uleb_long(struct cursor *c, size_t most)
{
	const uint8_t *end = cursor_left(c) < most ? c->end : c->p + most;
	uint64_t v = 0;
	size_t n = uleb_read(c->p, end, &v);

	if (__builtin_expect(!n, 0))
		cursor_set_bad(c);
	c->p += n;
	return v;
}

/* Reads a number as DWARF encodes it: zeros may pad it to any length. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	if (__builtin_expect(c->p != c->end && *c->p < 0x80, 1))
		return *c->p++;
	return cursor_uleb_long(c, SIZE_MAX);
}

/* Reads a number as protocol buffers and the store encode it: at most LEB_MAX bytes. */
static inline uint64_t cursor_varint(struct cursor *c)
{
	if (__builtin_expect(c->p != c->end && *c->p < 0x80, 1))
		return *c->p++;
	return cursor_uleb_long(c, LEB_MAX);
}

static inline int64_t cursor_sleb(struct cursor *c)
{
	int64_t v = 0;
	size_t n;

	if (__builtin_expect(c->p != c->end && *c->p < 0x80, 1))
		/* bit 6 is the sign */
		return (int64_t)(*c->p++ ^ 0x40) - 0x40;
	n = sleb_read(c->p, c->end, &v);
	if (__builtin_expect(!n, 0))
		cursor_set_bad(c);
	c->p += n;
	return v;
}

/* Skips a LEB128 number of any length. */
static inline void cursor_skip_leb(struct cursor *c)
{
	while (cursor_u8(c) & 0x80)
		;
}

#endif /* USTACK_USER_CURSOR_H */
