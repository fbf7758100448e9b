// SPDX-License-Identifier: GPL-2.0-only
/*
 * LEB128 from untrusted bytes (util/leb.h).
 */
#include "util/leb.h"

#include "util/poison.h"

size_t uleb_read(const uint8_t *p, const uint8_t *end, uint64_t *ret)
{
	const uint8_t *begin = p;
	unsigned int shift = 0;
	uint64_t v = 0;
	uint8_t byte;

	do {
		if (p == end)
			return 0;
		byte = *p++;
		if (shift > 56 && byte & (shift > 63 ? 0x7f : 0x7e))
			return 0;
		if (shift < 64) {
			v |= (uint64_t)(byte & 0x7f) << shift;
			shift += 7;
		}
	} while (byte & 0x80);
	*ret = v;
	return (size_t)(p - begin);
}

size_t sleb_read(const uint8_t *p, const uint8_t *end, int64_t *ret)
{
	const uint8_t *begin = p;
	unsigned int shift = 0;
	uint64_t v = 0;
	uint8_t byte;

	do {
		if (p == end)
			return 0;
		byte = *p++;
		if (shift < 64) {
			v |= (uint64_t)(byte & 0x7f) << shift;
			shift += 7;
		}
		/* bit 63 is the sign: all bits above it must repeat it */
		if (shift > 64) {
			if ((byte & 0x7f) != (v >> 63 ? 0x7f : 0))
				return 0;
		}
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		v |= ~0ull << shift;
	*ret = (int64_t)v;
	return (size_t)(p - begin);
}
