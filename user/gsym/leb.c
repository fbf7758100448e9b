// SPDX-License-Identifier: GPL-2.0
#include "gsym/read.h"

bool gsym_uleb_long(const uint8_t **p, const uint8_t *end, uint64_t *ret)
{
	const uint8_t *at = *p;
	unsigned int shift = 0;
	uint64_t v = 0;
	uint8_t byte;

	do {
		if (at == end || shift > 63)
			return false;
		byte = *at++;
		if (shift == 63 && byte > 1)
			return false;
		v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	*p = at;
	*ret = v;
	return true;
}

bool gsym_sleb_long(const uint8_t **p, const uint8_t *end, int64_t *ret)
{
	const uint8_t *at = *p;
	unsigned int shift = 0;
	uint64_t v = 0;
	uint8_t byte;

	do {
		if (at == end || shift > 63)
			return false;
		byte = *at++;
		/* of the tenth byte one bit is left, and the sign */
		if (shift == 63 && byte != 0 && byte != 0x7f)
			return false;
		v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		v |= ~0ull << shift;
	*p = at;
	*ret = (int64_t)v;
	return true;
}
