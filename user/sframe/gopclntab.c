// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads runtime.pclntab in the layouts of gopclntab.h. The header is its first 8
 * bytes, then words of 8 bytes. In 1.2 there is one: the number of functions. In 1.16
 * follow the number of files and five offsets of parts; 1.18 has the start of text
 * before the offsets. The list has pairs {entry, offset of the function's record}, each
 * field of 8 bytes and from 1.18 on of 4, and then the end of text.
 */
#include "sframe/gopclntab.h"

#include "util/leb.h"

#define WORD(n) (GOPCLN_START + 8 * (n))

/* A layout of the table; @flags is an offset in a function's record. */
struct shape {
	u32 magic;
	u8 header;	/* bytes */
	u8 field;	/* bytes of an entry in the list, and in a record */
	u8 record;	/* bytes of a record that are read */
	u8 flags;	/* 0 if there are none */
};

static const struct shape shapes[] = {
	[GOPCLN_1_2] = { 0xfffffffb, WORD(1), 8, 24, 0 },
	[GOPCLN_1_16] = { 0xfffffffa, WORD(7), 8, 44, 41 },
	[GOPCLN_1_18] = { 0xfffffff0, WORD(8), 4, 40, 37 },
	[GOPCLN_1_20] = { 0xfffffff1, WORD(8), 4, 44, 41 },
};

#define NR_LAYOUTS (sizeof(shapes) / sizeof(*shapes))

static u64 le64(const u8 *p)
{
	return ustack_le32(p) | (u64)ustack_le32(p + 4) << 32;
}

/* The layout of a table that may begin with these GOPCLN_START bytes, or none. */
static enum gopcln_layout layout_of(const u8 *bytes, u32 quantum)
{
	unsigned int i;

	if (bytes[4] || bytes[5] || bytes[6] != quantum || bytes[7] != 8)
		return GOPCLN_NONE;
	for (i = 1; i < NR_LAYOUTS; i++)
		if (ustack_le32(bytes) == shapes[i].magic)
			return i;
	return GOPCLN_NONE;
}

/* Reads an offset in the header; false if it is outside of the table. */
static bool take_part(const struct gopcln *t, unsigned int word, u32 *ret)
{
	u64 v = le64(t->bytes + WORD(word));

	*ret = (u32)v;
	return v < t->len;
}

static bool find_parts(struct gopcln *t)
{
	unsigned int first = t->layout == GOPCLN_1_16 ? 2 : 3;
	u32 unused;

	if (t->layout == GOPCLN_1_2) {
		t->list = WORD(1);
		return true;
	}
	if (t->layout != GOPCLN_1_16)
		t->text = le64(t->bytes + WORD(2));
	if (!take_part(t, first, &t->names) ||
	    !take_part(t, first + 1, &unused) ||
	    !take_part(t, first + 2, &unused) ||
	    !take_part(t, first + 3, &t->values) ||
	    !take_part(t, first + 4, &t->funcs))
		return false;
	t->list = t->funcs;
	return true;
}

/* Field @n of the list of functions. */
static u64 field(const struct gopcln *t, u32 n)
{
	const u8 *p = t->bytes + t->list;

	return shapes[t->layout].field == 8 ? le64(p + 8ull * n) :
					      ustack_le32(p + 4ull * n);
}

static u64 entry(const struct gopcln *t, u32 i)
{
	return field(t, 2 * i);
}

/* The record of function @i, or NULL if it is outside of the table. */
static const u8 *record(const struct gopcln *t, u32 i)
{
	const struct shape *s = &shapes[t->layout];
	u64 off = field(t, 2 * i + 1);

	if (off >= t->len - t->funcs || s->record > t->len - t->funcs - off)
		return NULL;
	return t->bytes + t->funcs + off;
}

static bool any_flag(const struct gopcln *t)
{
	u8 at = shapes[t->layout].flags;
	const u8 *r;
	u32 i;

	if (!at || t->layout != GOPCLN_1_16)
		return at;
	for (i = 0; i < t->nr_funcs; i++) {
		r = record(t, i);
		if (r && r[at])
			return true;
	}
	return false;
}

const char *gopcln_open(struct gopcln *t, const void *bytes, size_t len, u32 quantum)
{
	const struct shape *s;
	u64 nr;
	u32 i;

	*t = (struct gopcln){ .bytes = bytes, .len = (u32)len, .quantum = quantum };
	if (len > GOPCLN_MAX)
		return "Go's table is larger than 1 GiB";
	if (len < GOPCLN_START)
		return "Go's table is cut";
	t->layout = layout_of(bytes, quantum);
	if (!t->layout)
		return "Go's table has an unknown layout";
	s = &shapes[t->layout];
	if (len < s->header)
		return "Go's table is cut";
	nr = le64(t->bytes + WORD(0));
	if (!find_parts(t))
		return "a part of Go's table is outside of it";
	if (nr > GOPCLN_MAX_FUNCS)
		return "Go's table has more than 4 million functions";
	if (!nr || (2 * nr + 1) * s->field > t->len - t->list)
		return "Go's table has more functions than bytes";
	t->nr_funcs = (u32)nr;
	for (i = 0; i < t->nr_funcs; i++)
		if (entry(t, i) > entry(t, i + 1))
			return "the functions in Go's table are not sorted";
	t->has_flags = any_flag(t);
	return NULL;
}

u64 gopcln_first(const struct gopcln *t)
{
	return entry(t, 0);
}

u64 gopcln_end(const struct gopcln *t)
{
	return entry(t, t->nr_funcs);
}

bool gopcln_func(const struct gopcln *t, u32 i, struct gopcln_func *ret)
{
	const struct shape *s = &shapes[t->layout];
	const u8 *r = record(t, i);
	u64 start, name, sp;

	*ret = (struct gopcln_func){ .start = entry(t, i), .end = entry(t, i + 1) };
	if (!r)
		return false;
	start = s->field == 8 ? le64(r) : ustack_le32(r);
	name = (u64)t->names + ustack_le32(r + s->field);
	sp = ustack_le32(r + s->field + 12);
	if (start != ret->start || name >= t->len || sp >= t->len - t->values)
		return false;
	ret->name = t->bytes + name;
	ret->name_max = t->len - (u32)name;
	ret->flags = t->has_flags ? r[s->flags] : 0;
	ret->sp = (u32)sp;
	return true;
}

bool gopcln_name_is(const struct gopcln_func *f, const char *name)
{
	size_t len = strlen(name) + 1;

	return len <= f->name_max && !memcmp(f->name, name, len);
}

void gopcln_sp_init(const struct gopcln *t, const struct gopcln_func *f,
		    struct gopcln_sp *ret)
{
	u64 size = f->end - f->start;

	*ret = (struct gopcln_sp){
		.delta = -1,
		.at = t->bytes + t->values + f->sp,
		.stop = t->bytes + t->len,
		.size = size > INT32_MAX ? INT32_MAX : (u32)size,
		.quantum = t->quantum,
	};
}

/* Go writes 32 bits in at most 5 bytes; bits above them are dropped, as its runtime does. */
static bool varint_long(struct gopcln_sp *sp, u32 *ret)
{
	const u8 *end = sp->stop - sp->at < 5 ? sp->stop : sp->at + 5;
	uint64_t v = 0;
	size_t n = uleb_read(sp->at, end, &v);

	*ret = (u32)v;
	sp->at += n;
	return n;
}

/* Most varints have one byte. */
static __always_inline bool varint(struct gopcln_sp *sp, u32 *ret)
{
	if (unlikely(sp->at == sp->stop || *sp->at >= 0x80))
		return varint_long(sp, ret);
	*ret = *sp->at++;
	return true;
}

/* The values are pairs {change, length}, up to a change of 0 that is not the first. */
bool gopcln_sp_next(struct gopcln_sp *sp)
{
	u32 change, steps;

	if (sp->why)
		return false;
	if (!varint(sp, &change)) {
		sp->why = "its values are cut";
		return false;
	}
	if (!change && sp->end)
		return false;
	if (!varint(sp, &steps) || !steps ||
	    steps > (sp->size - sp->end) / sp->quantum) {
		sp->why = "its values do not end where it does";
		return false;
	}
	sp->start = sp->end;
	sp->end += steps * sp->quantum;
	sp->delta = (s32)((u32)sp->delta + ((change >> 1) ^ -(change & 1)));
	return true;
}
