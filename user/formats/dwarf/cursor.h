/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads DWARF's own kinds of values, in addition to the numbers of
 * util/cursor.h: odd sizes, strings, lengths of units.
 */
#ifndef USTACK_USER_DWARF_CURSOR_H
#define USTACK_USER_DWARF_CURSOR_H

#include "formats/dwarf/limits.h"
#include "util/cursor.h"

/* Reads a number of @n bytes: 1, 2, 3, 4 or 8. */
static inline uint64_t dwarf_uint(struct cursor *c, unsigned int n)
{
	uint64_t a, b;

	switch (n) {
	case 1:
		return cursor_u8(c);
	case 2:
		return cursor_u16(c);
	case 3:
		a = cursor_u8(c);
		b = cursor_u16(c);
		return c->swap == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ?
			a | b << 8 : a << 16 | b;
	case 4:
		return cursor_u32(c);
	case 8:
		return cursor_u64(c);
	}
	cursor_set_bad(c);
	return 0;
}

/* Reads a string. Return: NULL if it does not end here or is too long for a name. */
static inline const char *dwarf_string(struct cursor *c)
{
	size_t most = cursor_left(c) < DWARF_MAX_NAME ? cursor_left(c) : DWARF_MAX_NAME;
	const uint8_t *p = c->p;
	const uint8_t *nul = most ? memchr(p, 0, most) : NULL;

	if (!nul) {
		cursor_set_bad(c);
		return NULL;
	}
	c->p = nul + 1;
	return (const char *)p;
}

/* Reads the length of a unit. @offset_size: bytes of an offset in the unit. */
static inline uint64_t dwarf_length(struct cursor *c, uint8_t *offset_size)
{
	uint64_t len = cursor_u32(c);

	*offset_size = 4;
	if (len == 0xffffffff) {
		*offset_size = 8;
		len = cursor_u64(c);
	} else if (len >= 0xfffffff0) {
		cursor_set_bad(c);
	}
	return len;
}

#endif /* USTACK_USER_DWARF_CURSOR_H */
