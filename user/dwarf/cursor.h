/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes of a section, taken from the front. A read that does not fit gives 0, empties
 * the cursor and leaves @bad set: a reader checks that once, behind what it read.
 */
#ifndef USTACK_USER_DWARF_CURSOR_H
#define USTACK_USER_DWARF_CURSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dwarf/limits.h"

/**
 * struct dwarf_cursor - what is left
 * @p: next byte
 * @end: behind the last one
 * @swap: numbers are of the other byte order
 * @bad: a read did not fit
 */
struct dwarf_cursor {
	const uint8_t *p;
	const uint8_t *end;
	bool swap;
	bool bad;
};

/* An empty one, bad already. */
static inline struct dwarf_cursor dwarf_no_bytes(void)
{
	static const uint8_t nothing[1];

	return (struct dwarf_cursor){ nothing, nothing, false, true };
}

static inline size_t dwarf_left(const struct dwarf_cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* Cold, so that readers stay small. */
__attribute__((__noinline__, __cold__, __unused__))
static void dwarf_set_bad(struct dwarf_cursor *c)
{
	c->p = c->end;
	c->bad = true;
}

static inline void dwarf_skip(struct dwarf_cursor *c, uint64_t n)
{
	if (__builtin_expect(n > dwarf_left(c), 0))
		dwarf_set_bad(c);
	else
		c->p += n;
}

static inline uint8_t dwarf_u8(struct dwarf_cursor *c)
{
	if (__builtin_expect(c->p == c->end, 0)) {
		dwarf_set_bad(c);
		return 0;
	}
	return *c->p++;
}

#define DWARF_CURSOR_READ(bits)						\
static inline uint##bits##_t dwarf_u##bits(struct dwarf_cursor *c)	\
{									\
	uint##bits##_t v;						\
									\
	if (__builtin_expect(dwarf_left(c) < sizeof(v), 0)) {		\
		dwarf_set_bad(c);					\
		return 0;						\
	}								\
	memcpy(&v, c->p, sizeof(v));					\
	c->p += sizeof(v);						\
	return c->swap ? __builtin_bswap##bits(v) : v;			\
}
DWARF_CURSOR_READ(16)
DWARF_CURSOR_READ(32)
DWARF_CURSOR_READ(64)

/* A number of @n bytes: 1, 2, 3, 4 or 8. */
static inline uint64_t dwarf_uint(struct dwarf_cursor *c, unsigned int n)
{
	uint64_t a, b;

	switch (n) {
	case 1:
		return dwarf_u8(c);
	case 2:
		return dwarf_u16(c);
	case 3:
		a = dwarf_u8(c);
		b = dwarf_u16(c);
		return c->swap == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ?
			a | b << 8 : a << 16 | b;
	case 4:
		return dwarf_u32(c);
	case 8:
		return dwarf_u64(c);
	}
	dwarf_set_bad(c);
	return 0;
}

/* Bits that a uint64_t has no room for must be 0. */
__attribute__((__unused__))
static uint64_t dwarf_uleb_long(struct dwarf_cursor *c, uint64_t v)
{
	unsigned int shift = 7;
	uint8_t b;

	do {
		b = dwarf_u8(c);
		if (shift > 63 ? b & 0x7f : shift == 63 && (b & 0x7e)) {
			dwarf_set_bad(c);
			return 0;
		}
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (b & 0x80);
	return v;
}

static inline uint64_t dwarf_uleb(struct dwarf_cursor *c)
{
	uint8_t b = dwarf_u8(c);

	return __builtin_expect(b < 0x80, 1) ? b : dwarf_uleb_long(c, b & 0x7f);
}

/* Bits that an int64_t has no room for are dropped. */
static inline int64_t dwarf_sleb(struct dwarf_cursor *c)
{
	unsigned int shift = 0;
	uint64_t v = 0;
	uint8_t b;

	do {
		b = dwarf_u8(c);
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (b & 0x80);
	if (shift < 64 && b & 0x40)
		v |= ~0ull << shift;
	return (int64_t)v;
}

static inline void dwarf_skip_leb(struct dwarf_cursor *c)
{
	while (dwarf_u8(c) & 0x80)
		;
}

/* Return: NULL if it does not end here, or is too long for a name. */
static inline const char *dwarf_string(struct dwarf_cursor *c)
{
	size_t most = dwarf_left(c) < DWARF_MAX_NAME ? dwarf_left(c) : DWARF_MAX_NAME;
	const uint8_t *p = c->p;
	const uint8_t *nul = most ? memchr(p, 0, most) : NULL;

	if (!nul) {
		dwarf_set_bad(c);
		return NULL;
	}
	c->p = nul + 1;
	return (const char *)p;
}

/* The length of a unit, and what an offset in it takes. */
static inline uint64_t dwarf_length(struct dwarf_cursor *c, uint8_t *offset_size)
{
	uint64_t len = dwarf_u32(c);

	*offset_size = 4;
	if (len == 0xffffffff) {
		*offset_size = 8;
		len = dwarf_u64(c);
	} else if (len >= 0xfffffff0) {
		dwarf_set_bad(c);
	}
	return len;
}

#endif /* USTACK_USER_DWARF_CURSOR_H */
