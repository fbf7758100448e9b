/* SPDX-License-Identifier: GPL-2.0-only */
/* A growing buffer, for tests that make their input byte by byte. */
#ifndef USTACK_UNIT_BYTES_H
#define USTACK_UNIT_BYTES_H

/* cmocka.h needs these four before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core_env.h"

struct bytes {
	u8 *p;
	u32 len;
	u32 room;
};

static inline void bytes_put(struct bytes *b, const void *p, u32 n)
{
	if (b->room - b->len < n) {
		b->room = (b->len + n) * 2;
		b->p = realloc(b->p, b->room);
		assert_non_null(b->p);
	}
	if (n)
		memcpy(b->p + b->len, p, n);
	b->len += n;
}

/* @n low bytes of @v */
static inline void bytes_le(struct bytes *b, u64 v, u32 n)
{
	bytes_put(b, &v, n);
}

static inline void bytes_pad(struct bytes *b, u32 align)
{
	while (b->len % align)
		bytes_le(b, 0, 1);
}

#endif /* USTACK_UNIT_BYTES_H */
