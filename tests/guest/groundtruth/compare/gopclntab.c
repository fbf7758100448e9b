// SPDX-License-Identifier: GPL-2.0-only
/*
 * Go's table of functions (src/debug/gosym/pclntab.go). Its header: a magic
 * number, two zero bytes, the quantum of code, the size of a pointer, and then
 * words of that size. Only little-endian tables of 64-bit programs are read.
 */
#include <string.h>

#include "gopclntab.h"
#include "syms.h"

#define MAGIC_1_2 0xfffffffbu
#define MAGIC_1_16 0xfffffffau
#define MAGIC_1_18 0xfffffff0u
#define MAGIC_1_20 0xfffffff1u

struct table {
	const uint8_t *data;
	size_t len;
	uint64_t count;
	uint64_t text;		/* address that entries are relative to */
	uint64_t names;		/* offsets in the table */
	uint64_t funcs;
	unsigned int word;	/* size of an entry's address and offset */
};

static uint64_t get(const struct table *t, uint64_t at, unsigned int bytes)
{
	uint64_t v = 0;

	if (at <= t->len && bytes <= t->len - at)
		memcpy(&v, t->data + at, bytes);
	return v;
}

static uint64_t header(const struct table *t, unsigned int i)
{
	return get(t, 8 + 8 * i, 8);
}

static int read_header(struct table *t)
{
	if (t->len < 72 || t->data[7] != 8)
		return 0;
	t->count = header(t, 0);
	switch (get(t, 0, 4)) {
	case MAGIC_1_2:
		t->text = 0;
		t->names = 0;
		t->funcs = 16;
		t->word = 8;
		return 1;
	case MAGIC_1_16:
		t->text = 0;
		t->names = header(t, 2);
		t->funcs = header(t, 6);
		t->word = 8;
		return 1;
	case MAGIC_1_18:
	case MAGIC_1_20:
		/* newer linkers leave out the start of the text: it is that of .text */
		if (header(t, 2))
			t->text = header(t, 2);
		t->names = header(t, 3);
		t->funcs = header(t, 7);
		t->word = 4;
		return 1;
	default:
		return 0;
	}
}

void gopclntab_read(struct syms *s, const void *data, size_t len, uint64_t text)
{
	struct table t = { .data = data, .len = len, .text = text };
	uint64_t i;

	if (!read_header(&t) || t.funcs > len || t.count > (len - t.funcs) / (2 * t.word))
		return;
	for (i = 0; i < t.count; i++) {
		uint64_t at = t.funcs + 2 * t.word * i;
		uint64_t start = t.text + get(&t, at, t.word);
		uint64_t end = t.text + get(&t, at + 2 * t.word, t.word);
		/* in the old layout the offset counts from the start of the whole table */
		uint64_t func = get(&t, at + t.word, t.word) + (t.names ? t.funcs : 0);
		uint64_t name = t.names + get(&t, func + t.word, 4);

		if (start < end && name < len && memchr(t.data + name, 0, len - name))
			syms_add(s, start, end, (const char *)t.data + name);
	}
}
