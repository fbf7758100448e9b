/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/perfdata: bytes that are read one field after the other. A field that is not
 * there in full is 0, and @bad says so from then on: one check for many reads.
 */
#ifndef USTACK_USER_PERFDATA_BYTES_H
#define USTACK_USER_PERFDATA_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * struct bytes - what is left of them
 * @at: @left bytes
 * @left: of them
 * @bad: more was asked for than there was
 */
struct bytes {
	const uint8_t *at;
	size_t left;
	bool bad;
};

/* Return: @len bytes, which are read then; NULL if there are fewer. */
static inline const uint8_t *bytes_take(struct bytes *b, uint64_t len)
{
	const uint8_t *at = b->at;

	if (b->bad || len > b->left) {
		b->bad = true;
		return NULL;
	}
	b->at += len;
	b->left -= (size_t)len;
	return at;
}

static inline uint64_t bytes_u64(struct bytes *b)
{
	const uint8_t *at = bytes_take(b, sizeof(uint64_t));
	uint64_t v = 0;

	if (at)
		memcpy(&v, at, sizeof(v));
	return v;
}

static inline uint32_t bytes_u32(struct bytes *b)
{
	const uint8_t *at = bytes_take(b, sizeof(uint32_t));
	uint32_t v = 0;

	if (at)
		memcpy(&v, at, sizeof(v));
	return v;
}

/* Return: @nr words that lie at a multiple of 8, or NULL. */
static inline const uint64_t *bytes_words(struct bytes *b, uint64_t nr)
{
	if (nr > b->left / sizeof(uint64_t) || (uintptr_t)b->at % sizeof(uint64_t)) {
		b->bad = true;
		return NULL;
	}
	return (const uint64_t *)(const void *)bytes_take(b, nr * sizeof(uint64_t));
}

/* Return: a string whose NUL is among the bytes, all of which it takes; NULL if none is. */
static inline const char *bytes_string(struct bytes *b)
{
	size_t left = b->left;
	const char *at = (const char *)bytes_take(b, left);

	if (at && memchr(at, '\0', left))
		return at;
	b->bad = true;
	return NULL;
}

#endif /* USTACK_USER_PERFDATA_BYTES_H */
