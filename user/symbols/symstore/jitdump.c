// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads jitdump files, see jitdump.h. Their content is untrusted; values outside of a
 * record read as 0 and make it invalid.
 */
#include "symbols/symstore/jitdump.h"

#include <errno.h>
#include <string.h>

#include "util/poison.h"

#define MAGIC 0x4a695444	/* "JiTD" */
#define HEADER_MIN 40u
#define PREFIX 16u		/* id, size, time */

enum { LOAD, MOVE, DEBUG_INFO, CLOSE, UNWINDING };

/* Bytes of a record. @bad is set when a value outside of it was read. */
struct bytes {
	const uint8_t *p;
	size_t len;
	bool swapped;
	bool bad;
};

static uint32_t get32(struct bytes *b, size_t at)
{
	uint32_t v = 0;

	if (at > b->len || b->len - at < sizeof(v))
		b->bad = true;
	else
		memcpy(&v, b->p + at, sizeof(v));
	return b->swapped ? __builtin_bswap32(v) : v;
}

static uint64_t get64(struct bytes *b, size_t at)
{
	uint64_t v = 0;

	if (at > b->len || b->len - at < sizeof(v))
		b->bad = true;
	else
		memcpy(&v, b->p + at, sizeof(v));
	return b->swapped ? __builtin_bswap64(v) : v;
}

/* Finds a string that ends within the record. Return: its length without the NUL. */
static size_t get_string(struct bytes *b, size_t at)
{
	const uint8_t *end = at < b->len ? memchr(b->p + at, 0, b->len - at) : NULL;

	if (!end)
		b->bad = true;
	return end ? (size_t)(end - b->p) - at : 0;
}

/* Fields: pid, tid, vma, code_addr, code_size, code_index, name, code. */
static int take_load(struct jitdump *d, struct jit_codes *c, struct bytes *b)
{
	uint64_t addr = get64(b, 32), size = get64(b, 40);
	size_t name = get_string(b, 56);
	struct jit_code code = { .start = addr, .lines = JIT_NO_LINES };
	int err;

	if (b->bad || __builtin_add_overflow(addr, size, &code.end))
		return -EBADMSG;
	if (d->nr_lines && d->lines_of == addr) {
		code.lines = d->lines;
		code.nr_lines = d->nr_lines;
	}
	d->nr_lines = 0;
	err = jit_codes_name(c, (const char *)b->p + 56, name, &code.name);
	return err ? err : jit_codes_add(c, &code);
}

/* Fields: pid, tid, vma, old_code_addr, new_code_addr, code_size, code_index. */
static int take_move(struct jit_codes *c, struct bytes *b)
{
	uint64_t from = get64(b, 32), to = get64(b, 40), size = get64(b, 48);
	const struct jit_code *old = jit_codes_find(c, from);
	struct jit_code code;

	if (b->bad || __builtin_add_overflow(to, size, &code.end))
		return -EBADMSG;
	if (!old)
		return 0;
	code = (struct jit_code){ .start = to, .end = to + size, .name = old->name,
				  .lines = JIT_NO_LINES };
	return jit_codes_add(c, &code);
}

/*
 * Fields: code_addr, nr_entry, then for each entry addr, line, discriminator, name. The
 * record of the function they belong to comes next.
 */
static int take_lines(struct jitdump *d, struct jit_codes *c, struct bytes *b)
{
	uint64_t nr = get64(b, 24), i;
	struct jit_line line;
	size_t at = 32, len;
	int err = 0;

	d->lines_of = get64(b, 16);
	d->lines = c->nr_lines;
	for (i = 0; i < nr && !err; i++) {
		line = (struct jit_line){ .addr = get64(b, at), .line = get32(b, at + 8) };
		len = get_string(b, at + 16);
		if (b->bad)
			return -EBADMSG;
		/* 0xff 0 means the same name as in the entry before */
		if (len == 1 && b->p[at + 16] == 0xff && i)
			line.file = c->lines[c->nr_lines - 1].file;
		else
			err = jit_codes_name(c, (const char *)b->p + at + 16, len, &line.file);
		if (!err)
			err = jit_codes_line(c, &line);
		at += 16 + len + 1;
	}
	d->nr_lines = c->nr_lines - d->lines;
	return b->bad ? -EBADMSG : err;
}

static int take(struct jitdump *d, struct jit_codes *c, struct bytes *b)
{
	switch (get32(b, 0)) {
	case LOAD:
		return take_load(d, c, b);
	case MOVE:
		return take_move(c, b);
	case DEBUG_INFO:
		return take_lines(d, c, b);
	default:
		/* the format requires that unknown records are skipped */
		return 0;
	}
}

static int64_t take_header(struct jitdump *d, const uint8_t *bytes, size_t len)
{
	struct bytes b = { .p = bytes, .len = len };
	uint32_t magic;

	if (len < HEADER_MIN)
		return 0;
	magic = get32(&b, 0);
	b.swapped = d->swapped = magic == __builtin_bswap32(MAGIC);
	if ((magic != MAGIC && !d->swapped) || get32(&b, 4) != 1 || get32(&b, 8) < HEADER_MIN)
		return -EBADMSG;
	if (get32(&b, 8) > len)
		return 0;
	d->header = get32(&b, 8);
	return d->header;
}

int64_t jitdump_parse(struct jitdump *d, struct jit_codes *c, const uint8_t *bytes,
		      size_t len)
{
	int64_t at = d->header ? 0 : take_header(d, bytes, len);
	int err;

	if (at < 0 || !d->header)
		return at;
	while (len - (size_t)at >= PREFIX) {
		struct bytes b = { .p = bytes + at, .len = len - (size_t)at,
				   .swapped = d->swapped };
		uint32_t size = get32(&b, 4);

		if (size < PREFIX)
			return -EBADMSG;
		if (size > b.len)
			break;
		b.len = size;
		err = take(d, c, &b);
		if (err)
			return err;
		at += size;
	}
	return at;
}
