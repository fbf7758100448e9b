/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bounds-checked reader of untrusted bytes. File bytes are read through it
 * and nowhere else.
 *
 * Failure is sticky: a read past the end yields 0 and sets @failed, so a caller
 * may read a whole record and check once.
 */
#ifndef USTACK_CORE_CURSOR_H
#define USTACK_CORE_CURSOR_H

#include "core_env.h"

struct ustack_cursor {
	const u8 *bytes;
	u32 pos;	/* offset of the next byte from @bytes */
	u32 end;	/* first offset that may not be read */
	bool failed;
};

/**
 * ustack_cursor_init() - read bytes[pos, end)
 * @c: the cursor
 * @bytes: the bytes, borrowed while the cursor is used
 * @pos: first offset to read; a @pos above @end makes a failed cursor
 * @end: first offset that is not read
 */
static __always_inline void ustack_cursor_init(struct ustack_cursor *c,
					       const void *bytes, u32 pos,
					       u32 end)
{
	c->bytes = bytes;
	c->pos = pos;
	c->end = end;
	c->failed = pos > end;
}

/* Takes @n bytes. Return: NULL past the end. */
static __always_inline const u8 *ustack_cursor_take(struct ustack_cursor *c,
						    u32 n)
{
	const u8 *p;

	if (c->failed || c->end - c->pos < n) {
		c->failed = true;
		return NULL;
	}
	p = c->bytes + c->pos;
	c->pos += n;
	return p;
}

static __always_inline u8 ustack_cursor_u8(struct ustack_cursor *c)
{
	const u8 *p = ustack_cursor_take(c, 1);

	return p ? *p : 0;
}

static __always_inline u16 ustack_cursor_u16(struct ustack_cursor *c)
{
	const u8 *p = ustack_cursor_take(c, 2);

	return p ? ustack_le16(p) : 0;
}

static __always_inline u32 ustack_cursor_u32(struct ustack_cursor *c)
{
	const u8 *p = ustack_cursor_take(c, 4);

	return p ? ustack_le32(p) : 0;
}

static __always_inline u64 ustack_cursor_u64(struct ustack_cursor *c)
{
	const u8 *p = ustack_cursor_take(c, 8);

	return p ? ustack_le64(p) : 0;
}

/* Reads an unsigned number of 1 << @code bytes, @code in 0..2. */
static __always_inline u32 ustack_cursor_uint(struct ustack_cursor *c,
					      unsigned int code)
{
	if (code == 0)
		return ustack_cursor_u8(c);
	if (code == 1)
		return ustack_cursor_u16(c);
	return ustack_cursor_u32(c);
}

#endif /* USTACK_CORE_CURSOR_H */
