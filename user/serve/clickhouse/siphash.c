// SPDX-License-Identifier: GPL-2.0-only
/* SipHash-2-4 with a key of zeros, see siphash.h. */
#include "serve/clickhouse/siphash.h"

#include "util/poison.h"

struct sip {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t v, unsigned int bits)
{
	return v << bits | v >> (64 - bits);
}

static void round_once(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v2 = rotate(s->v2, 32);
}

static void take(struct sip *s, uint64_t word)
{
	s->v3 ^= word;
	round_once(s);
	round_once(s);
	s->v0 ^= word;
}

/* Return: a number of up to 8 bytes, little endian. */
static uint64_t word_at(const uint8_t *p, size_t len)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < len; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

uint64_t siphash(const void *bytes, size_t len)
{
	struct sip s = { 0x736f6d6570736575, 0x646f72616e646f6d,
			 0x6c7967656e657261, 0x7465646279746573 };
	const uint8_t *p = bytes;
	size_t left;

	for (left = len; left >= 8; left -= 8, p += 8)
		take(&s, word_at(p, 8));
	take(&s, (uint64_t)len << 56 | word_at(p, left));
	s.v2 ^= 0xff;
	round_once(&s);
	round_once(&s);
	round_once(&s);
	round_once(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

uint64_t siphash_two(uint64_t a, uint64_t b)
{
	uint8_t bytes[16];
	unsigned int i;

	for (i = 0; i < 8; i++) {
		bytes[i] = (uint8_t)(a >> 8 * i);
		bytes[8 + i] = (uint8_t)(b >> 8 * i);
	}
	return siphash(bytes, sizeof(bytes));
}
