/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes that grow. What is put into them when there is no memory is lost, and @failed
 * says so at the end: one check for many calls.
 */
#ifndef USTACK_USER_GSYM_BYTES_H
#define USTACK_USER_GSYM_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gsym/leb.h"

struct gsym_bytes {
	uint8_t *at;
	size_t len;
	size_t room;
	bool failed;
	bool big_endian;
};

void gsym_bytes_release(struct gsym_bytes *b);

/* Return: false if there is no memory. */
bool gsym_bytes_grow(struct gsym_bytes *b, size_t more);

/* Where @more bytes may be written, for gsym_bytes_end(); NULL if there is no memory. */
static inline uint8_t *gsym_bytes_begin(struct gsym_bytes *b, size_t more)
{
	if (b->room - b->len < more && !gsym_bytes_grow(b, more))
		return NULL;
	return b->at + b->len;
}

/* @p: behind what was written. */
static inline void gsym_bytes_end(struct gsym_bytes *b, const uint8_t *p)
{
	b->len = (size_t)(p - b->at);
}

static inline void gsym_bytes_put(struct gsym_bytes *b, const void *bytes, size_t n)
{
	uint8_t *p = gsym_bytes_begin(b, n);

	if (!p || !n)
		return;
	memcpy(p, bytes, n);
	b->len += n;
}

static inline void gsym_bytes_uleb(struct gsym_bytes *b, uint64_t v)
{
	uint8_t *p = gsym_bytes_begin(b, LEB_MAX);

	if (p)
		gsym_bytes_end(b, uleb_put(p, v));
}

/* The low @n bytes of @v, of the byte order that was asked for. */
static inline void gsym_bytes_fixed(struct gsym_bytes *b, uint64_t v, unsigned int n)
{
	uint8_t *p = gsym_bytes_begin(b, n);
	unsigned int i;

	if (!p)
		return;
	for (i = 0; i < n; i++)
		p[b->big_endian ? n - 1 - i : i] = (uint8_t)(v >> 8 * i);
	b->len += n;
}

static inline void gsym_bytes_align(struct gsym_bytes *b, unsigned int to)
{
	while (b->len % to && !b->failed)
		gsym_bytes_fixed(b, 0, 1);
}

#endif /* USTACK_USER_GSYM_BYTES_H */
