// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads code segments, symbols, renames and strings of an open BSYM file, and
 * expands tokens. Nothing here allocates.
 */
#include "formats/bsym/bsym.h"

#include <errno.h>
#include <string.h>

#include "formats/bsym/read.h"

#include "util/poison.h"

#define TOKEN 0x80u
#define LONG_STRING 0xffu

int bsym_codeseg(const struct bsym *b, uint32_t index, struct bsym_codeseg *ret)
{
	const uint8_t *p;

	if (b->units) {
		*ret = b->units[index];
		return 0;
	}
	p = b->codesegs + (size_t)index * BSYM_CODESEG_BYTES;
	*ret = (struct bsym_codeseg){
		.address = bsym_be32(p), .nr = bsym_be32(p + 4), .name = bsym_be32(p + 8),
		.first = bsym_be32(p + 12), .prefixes = bsym_be32(p + 16),
	};
	return ret->first <= b->info.nr_symbols && ret->nr <= b->info.nr_symbols - ret->first ?
	       0 : -EBADMSG;
}

static void symbol_3(const struct bsym *b, const uint8_t *p, struct bsym_symbol *ret)
{
	const bool big = b->info.big_endian;

	*ret = (struct bsym_symbol){
		.address = bsym_u32(big, p), .length = bsym_u32(big, p + 4),
		.prefix = bsym_u32(big, p + 8), .name = bsym_u32(big, p + 12),
	};
	ret->has_prefix = ret->prefix;
}

int bsym_symbol(const struct bsym *b, const struct bsym_codeseg *c, uint32_t index,
		struct bsym_symbol *ret)
{
	const uint8_t *p;
	uint32_t word, prefix;
	uint64_t at;

	if (b->units) {
		symbol_3(b, b->symbols + (size_t)(c->first + index) * BSYM_SYMBOL3_BYTES, ret);
		return 0;
	}
	p = b->symbols + (size_t)(c->first + index) * BSYM_SYMBOL_BYTES;
	word = bsym_be32(p + 4);
	prefix = word >> 16;
	*ret = (struct bsym_symbol){
		.address = bsym_be32(p), .length = word & 0xffff, .name = bsym_be32(p + 8),
	};
	if (!prefix)
		return 0;
	/*
	 * 16 bits are for the length, 16 for the prefix: without prefixes all
	 * 32 are the length
	 */
	if (!c->prefixes) {
		ret->length = word;
		return 0;
	}
	at = c->prefixes + 4ull * (prefix - 1);
	if (at + 4 > b->len)
		return -EBADMSG;
	ret->prefix = bsym_be32(b->bytes + at);
	ret->has_prefix = true;
	return 0;
}

const uint8_t *bsym_raw(const struct bsym *b, uint32_t at, uint32_t *len)
{
	const uint8_t *p = b->strings + at, *end = b->strings + b->strings_len;

	if (at >= b->strings_len)
		return NULL;
	*len = *p++;
	if (*len == LONG_STRING) {
		if (end - p < 2)
			return NULL;
		*len = b->info.big_endian ? (uint32_t)p[0] << 8 | p[1] :
					    (uint32_t)p[1] << 8 | p[0];
		p += 2;
	}
	return *len <= (size_t)(end - p) ? p : NULL;
}

/* A string that is being written to a buffer, which may be too short. */
struct text {
	char *p;
	size_t room;
	size_t len;
};

static void put(struct text *t, const void *bytes, size_t len)
{
	size_t left = t->len < t->room ? t->room - t->len - 1 : 0, n = len < left ? len : left;
	char *p, *end;

	if (n) {
		p = memcpy(t->p + t->len, bytes, n);
		end = p + n;
		while ((p = memchr(p, '\0', (size_t)(end - p))))
			*p++ = '?';
	}
	t->len += len;
}

static void put_token(const struct bsym *b, struct text *t, uint32_t token)
{
	const uint8_t *p = NULL;
	uint32_t len;

	if (token < b->info.nr_tokens)
		p = bsym_raw(b, bsym_be32(b->tokens + 4 * (size_t)token), &len);
	if (p)
		put(t, p, len);
	else
		put(t, "?", 1);
}

/* Return: number of bytes before the first token. */
static uint32_t plain_run(const uint8_t *p, uint32_t len)
{
	uint32_t run = 0;
	uint64_t eight;

	for (; len - run >= sizeof(eight); run += sizeof(eight)) {
		memcpy(&eight, p + run, sizeof(eight));
		if (eight & 0x8080808080808080)
			break;
	}
	while (run < len && p[run] < TOKEN)
		run++;
	return run;
}

/* Return: false if the string is outside of the file. */
static bool put_string(const struct bsym *b, struct text *t, uint32_t at)
{
	uint32_t len, run;
	const uint8_t *p;

	/* in version 3 position 0 is the empty string */
	if (b->units && !at)
		return true;
	p = bsym_raw(b, at, &len);
	if (!p)
		return false;
	if (bsym_major(b) != 2) {
		put(t, p, len);
		return true;
	}
	for (; len; len -= run, p += run) {
		run = plain_run(p, len);
		put(t, p, run);
		if (run < len)
			put_token(b, t, p[run++] - TOKEN);
	}
	return true;
}

static int end_text(struct text *t, bool good)
{
	if (t->room)
		t->p[t->len < t->room ? t->len : t->room - 1] = '\0';
	return good ? (int)t->len : -EBADMSG;
}

int bsym_string(const struct bsym *b, uint32_t at, char *ret, size_t room)
{
	struct text t = { ret, room, 0 };

	return end_text(&t, put_string(b, &t, at));
}

int bsym_name(const struct bsym *b, const struct bsym_symbol *s, char *ret, size_t room)
{
	struct text t = { ret, room, 0 };
	bool good = true;

	if (s->has_prefix) {
		good = put_string(b, &t, s->prefix);
		put(&t, "::", 2);
	}
	return end_text(&t, put_string(b, &t, s->name) && good);
}

void bsym_rename(const struct bsym *b, uint32_t index, uint32_t *codeseg, uint32_t *name)
{
	const uint8_t *p = b->renames + (size_t)index * BSYM_RENAME_BYTES;

	*codeseg = bsym_be32(p);
	*name = bsym_be32(p + 4);
}

int bsym_token(const struct bsym *b, uint32_t index, char *ret, size_t room)
{
	struct text t = { ret, room, 0 };
	uint32_t len;
	const uint8_t *p = bsym_raw(b, bsym_be32(b->tokens + 4 * (size_t)index), &len);

	if (p)
		put(&t, p, len);
	return end_text(&t, p);
}
