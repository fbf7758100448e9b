// SPDX-License-Identifier: MIT
/*
 * LEB128 numbers of more than one byte, for the reader, which reads shorter
 * ones inline. The file is apart from util/leb.c because libgsym has another
 * licence.
 */
#include "formats/gsym/read.h"

/* A number as groups of 7 bits, the lowest first. */
struct groups {
	uint64_t v;
	/* 70 after the tenth group, of which @v has only one bit */
	unsigned int bits;
	uint8_t last;
};

static bool take_groups(const uint8_t **p, const uint8_t *end, struct groups *ret)
{
	*ret = (struct groups){ 0 };
	do {
		if (*p == end || ret->bits > 63)
			return false;
		ret->last = *(*p)++;
		ret->v |= (uint64_t)(ret->last & 0x7f) << ret->bits;
		ret->bits += 7;
	} while (ret->last & 0x80);
	return true;
}

bool gsym_uleb_long(const uint8_t **p, const uint8_t *end, uint64_t *ret)
{
	const uint8_t *at = *p;
	struct groups n;

	if (!take_groups(&at, end, &n) || (n.bits > 64 && n.last > 1))
		return false;
	*p = at;
	*ret = n.v;
	return true;
}

bool gsym_sleb_long(const uint8_t **p, const uint8_t *end, int64_t *ret)
{
	const uint8_t *at = *p;
	struct groups n;

	if (!take_groups(&at, end, &n))
		return false;
	/* the tenth group has bit 63 and copies of the sign */
	if (n.bits > 64 && n.last != 0 && n.last != 0x7f)
		return false;
	if (n.bits < 64 && n.last & 0x40)
		n.v |= ~0ull << n.bits;
	*p = at;
	*ret = (int64_t)n.v;
	return true;
}
