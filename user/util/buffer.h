/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A buffer of bytes that grows. If memory runs out, later bytes are discarded
 * and @failed is set, so that a writer makes many calls and checks once at the
 * end.
 */
#ifndef USTACK_USER_BUFFER_H
#define USTACK_USER_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/leb.h"

/**
 * struct buffer - bytes that grow; all zeros is an empty buffer
 * @at: the bytes, @len of them; owned by the buffer
 * @len: number of bytes in @at
 * @room: number of bytes that @at has room for
 * @failed: memory ran out: the contents are incomplete and must not be used
 * @big_endian: buffer_fixed() writes numbers in big-endian order
 */
struct buffer {
	uint8_t *at;
	size_t len;
	size_t room;
	bool failed;
	bool big_endian;
};

void buffer_release(struct buffer *b);

/* Makes the buffer empty and clears @failed. The memory is kept. */
static inline void buffer_clear(struct buffer *b)
{
	b->len = 0;
	b->failed = false;
}

/* Makes room for @more bytes. Return: false if there is no memory. */
bool buffer_grow(struct buffer *b, size_t more);

/*
 * Return: where @more bytes may be written, followed by buffer_end(); NULL if
 * there is no memory.
 */
static inline uint8_t *buffer_begin(struct buffer *b, size_t more)
{
	if (b->room - b->len < more && !buffer_grow(b, more))
		return NULL;
	return b->at + b->len;
}

/* Ends what buffer_begin() began. @p: the byte after the last one written. */
static inline void buffer_end(struct buffer *b, const uint8_t *p)
{
	b->len = (size_t)(p - b->at);
}

static inline void buffer_put(struct buffer *b, const void *bytes, size_t n)
{
	uint8_t *p = n ? buffer_begin(b, n) : NULL;

	if (!p)
		return;
	memcpy(p, bytes, n);
	b->len += n;
}

/* Appends @text without its NUL. */
static inline void buffer_text(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text));
}

static inline void buffer_uleb(struct buffer *b, uint64_t v)
{
	uint8_t *p = buffer_begin(b, LEB_MAX);

	if (p)
		buffer_end(b, uleb_put(p, v));
}

/* Appends @len as a LEB128 number, then the @len bytes. */
static inline void buffer_counted(struct buffer *b, const void *bytes, size_t len)
{
	buffer_uleb(b, len);
	buffer_put(b, bytes, len);
}

/* Appends the length of @text as a LEB128 number, then @text without its NUL. */
static inline void buffer_counted_text(struct buffer *b, const char *text)
{
	buffer_counted(b, text, strlen(text));
}

/* Appends the low @n bytes of @v in the buffer's byte order. */
static inline void buffer_fixed(struct buffer *b, uint64_t v, unsigned int n)
{
	uint8_t *p = buffer_begin(b, n);
	unsigned int i;

	if (!p)
		return;
	for (i = 0; i < n; i++)
		p[b->big_endian ? n - 1 - i : i] = (uint8_t)(v >> 8 * i);
	b->len += n;
}

static inline void buffer_align(struct buffer *b, unsigned int to)
{
	while (b->len % to && !b->failed)
		buffer_fixed(b, 0, 1);
}

#endif /* USTACK_USER_BUFFER_H */
