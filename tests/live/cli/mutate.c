// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damage copies of a file, the same way every time.
 *
 * usage: mutate FILE PREFIX COUNT SEED [OFFSET LENGTH]
 *
 * Writes PREFIX.0 ... PREFIX.COUNT-1. Damage stays within LENGTH bytes from
 * OFFSET on, but for truncation, which every eighth copy has as well.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t *state)
{
	/* xorshift64* */
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

static void damage(uint8_t *p, size_t len, uint64_t *state)
{
	static const uint32_t words[] = {
		0, 1, 0xff, 0x7f, 0x80, 0xffff, 0x7fffffff, 0x80000000u,
		0xffffffffu, 0xfffffff8u, 28, 20, 17, 16,
	};
	size_t at = next(state) % len, n = 1u << (next(state) % 3), from;
	uint32_t word;

	if (at + n > len)
		n = len - at;
	switch (next(state) % 4) {
	case 0:
		p[at] ^= (uint8_t)(1u << (next(state) % 8));
		break;
	case 1:
		p[at] = (uint8_t)next(state);
		break;
	case 2:
		word = words[next(state) % (sizeof(words) / sizeof(words[0]))];
		memcpy(p + at, &word, n);
		break;
	default:
		from = next(state) % (len - n + 1);
		memmove(p + at, p + from, n);
	}
}

static uint8_t *slurp(const char *path, size_t *ret)
{
	FILE *f = fopen(path, "rb");
	uint8_t *p = malloc(1 << 20);

	if (!f || !p)
		return NULL;
	*ret = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

static int spit(const char *prefix, unsigned int i, const uint8_t *p, size_t len)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s.%u", prefix, i);
	f = fopen(path, "wb");
	return f && fwrite(p, 1, len, f) == len && !fclose(f) ? 0 : 1;
}

int main(int argc, char **argv)
{
	size_t len, n, off = 0, span;
	unsigned int i, count, rounds;
	uint8_t *file, *copy;
	uint64_t state;

	if (argc != 5 && argc != 7)
		return 2;
	file = slurp(argv[1], &len);
	copy = malloc(1 << 20);
	if (!file || !copy || !len)
		return 1;
	count = (unsigned int)atoi(argv[3]);
	state = strtoull(argv[4], NULL, 0) * 2 + 1;
	span = len;
	if (argc == 7) {
		off = strtoul(argv[5], NULL, 0);
		span = strtoul(argv[6], NULL, 0);
	}
	if (!span || off > len || span > len - off)
		return 2;
	for (i = 0; i < count; i++) {
		memcpy(copy, file, len);
		for (rounds = 1 + next(&state) % 6; rounds; rounds--)
			damage(copy + off, span, &state);
		n = i % 8 == 7 ? next(&state) % len : len;
		if (spit(argv[2], i, copy, n))
			return 1;
	}
	return 0;
}
