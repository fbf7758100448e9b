// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpacks byte pair compression: a byte that is a token stands for two bytes,
 * which may be tokens themselves. The head of a page defines its tokens: their
 * number; if it is not 0, a marker byte that precedes literals; then (byte,
 * left, right) for each of fewer than 32 tokens, or else one bit for each of
 * the 256 byte values and (left, right) for each token.
 */
#include <errno.h>
#include <string.h>

#include "formats/bsym/read.h"

#include "util/poison.h"

#define BITS_FROM 32u
#define BYTES 256u

struct pairs {
	uint8_t left[BYTES];
	uint8_t right[BYTES];
	bool is_token[BYTES];
	int marker;	/* byte that precedes a literal; -1 if there is none */
};

static int read_listed(struct pairs *t, const uint8_t *p, size_t len, unsigned int nr)
{
	unsigned int i;

	if (len < 3 * (size_t)nr)
		return -EBADMSG;
	for (i = 0; i < nr; i++, p += 3) {
		t->is_token[p[0]] = true;
		t->left[p[0]] = p[1];
		t->right[p[0]] = p[2];
	}
	return (int)(3 * nr);
}

static int read_bits(struct pairs *t, const uint8_t *p, size_t len, unsigned int nr)
{
	const uint8_t *bits = p;
	unsigned int i, found = 0;

	if (len < BYTES / 8 + 2 * (size_t)nr)
		return -EBADMSG;
	p += BYTES / 8;
	for (i = 0; i < BYTES && found <= nr; i++) {
		if (!(bits[i / 8] >> (i % 8) & 1))
			continue;
		if (found++ == nr)
			break;
		t->is_token[i] = true;
		t->left[i] = *p++;
		t->right[i] = *p++;
	}
	return found == nr ? (int)(BYTES / 8 + 2 * nr) : -EBADMSG;
}

/* Return: number of bytes of the head; -EBADMSG. */
static int read_pairs(struct pairs *t, const uint8_t *bytes, size_t len)
{
	unsigned int nr;
	int n;

	memset(t, 0, sizeof(*t));
	t->marker = -1;
	if (!len)
		return -EBADMSG;
	nr = bytes[0];
	if (!nr)
		return 1;
	if (len < 2)
		return -EBADMSG;
	t->marker = bytes[1];
	n = nr < BITS_FROM ? read_listed(t, bytes + 2, len - 2, nr) :
			     read_bits(t, bytes + 2, len - 2, nr);
	return n < 0 ? n : n + 2;
}

int bsym_unpack_page(const uint8_t *bytes, size_t len, uint8_t *ret, size_t room)
{
	const uint8_t *p, *end = bytes + len;
	uint8_t stack[BYTES];
	unsigned int depth = 0;
	struct pairs t;
	size_t n = 0;
	uint8_t byte;
	int head;

	head = read_pairs(&t, bytes, len);
	if (head < 0)
		return head;
	p = bytes + head;
	while (depth || p < end) {
		byte = depth ? stack[--depth] : *p++;
		if (byte == t.marker) {
			if (p == end)
				return -EBADMSG;
			byte = *p++;
		} else if (t.is_token[byte]) {
			/* deeper than the number of tokens: a token contains itself */
			if (depth + 2 > BYTES)
				return -EBADMSG;
			stack[depth++] = t.right[byte];
			stack[depth++] = t.left[byte];
			continue;
		}
		if (n == room)
			return -EBADMSG;
		ret[n++] = byte;
	}
	return (int)n;
}
