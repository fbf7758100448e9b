/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * LEB128, numbers of variable length: groups of 7 bits, the lowest first; bit 7
 * is set in all bytes but the last. There are writers, readers of the program's
 * own numbers (_take), and readers of untrusted bytes (_read).
 */
#ifndef USTACK_USER_LEB_H
#define USTACK_USER_LEB_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest 64-bit number without padding. */
#define LEB_MAX 10

static inline unsigned int uleb_len(uint64_t v)
{
	return (unsigned int)(63 - __builtin_clzll(v | 1)) / 7 + 1;
}

static inline unsigned int sleb_len(int64_t v)
{
	uint64_t magnitude = v < 0 ? ~(uint64_t)v : (uint64_t)v;

	return uleb_len(magnitude << 1);
}

/* Return: the byte after the number. */
static inline uint8_t *uleb_put(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)v | 0x80;
	*p++ = (uint8_t)v;
	return p;
}

static inline uint8_t *sleb_put(uint8_t *p, int64_t v)
{
	for (; v < -64 || v > 63; v >>= 7)
		*p++ = (uint8_t)v | 0x80;
	*p++ = (uint8_t)v & 0x7f;
	return p;
}

/*
 * Reads a number that uleb_put() wrote. Nothing is checked: use uleb_read() for
 * untrusted bytes.
 */
static inline uint64_t uleb_take(const uint8_t **p)
{
	uint64_t v = 0;
	unsigned int shift = 0;

	for (; **p & 0x80; shift += 7)
		v |= (uint64_t)(*(*p)++ & 0x7f) << shift;
	return v | (uint64_t)*(*p)++ << shift;
}

static inline int64_t sleb_take(const uint8_t **p)
{
	uint64_t v = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = *(*p)++;
		v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		v |= ~0ull << shift;
	return (int64_t)v;
}

/**
 * uleb_read() - read an unsigned number from untrusted bytes
 * @p: first byte of the number
 * @end: the first byte that may not be read
 * @ret: written on success
 *
 * Zeros may pad the number to any length, as assemblers do.
 *
 * Return: number of bytes of the number; 0 if it is cut off or has more than 64
 * bits.
 */
size_t uleb_read(const uint8_t *p, const uint8_t *end, uint64_t *ret);

/* The same for a signed number. Copies of its sign may pad it. */
size_t sleb_read(const uint8_t *p, const uint8_t *end, int64_t *ret);

#endif /* USTACK_USER_LEB_H */
