/* SPDX-License-Identifier: GPL-2.0-only */
/* DWARF made by hand: sections as growing buffers, and an object file made of them. */
#ifndef USTACK_UNIT_DWARF_MAKER_H
#define USTACK_UNIT_DWARF_MAKER_H

#include "bytes.h"

#include "formats/dwarf/constants.h"
#include "formats/dwarf/unit.h"

struct maker {
	struct bytes s[DWARF_NR_SECTIONS];
	struct range text;
	struct dwarf_object o;
};

static inline void maker_release(struct maker *m)
{
	unsigned int i;

	for (i = 0; i < DWARF_NR_SECTIONS; i++)
		free(m->s[i].p);
	free(m->o.units);
	*m = (struct maker){ 0 };
}

static inline struct dwarf_object *maker_object(struct maker *m)
{
	unsigned int i;

	free(m->o.units);
	m->o = (struct dwarf_object){ .path = "made", .elf64 = true };
	m->text = (struct range){ 0x800, 0x9000 };
	m->o.text = &m->text;
	m->o.nr_text = 1;
	for (i = 0; i < DWARF_NR_SECTIONS; i++) {
		m->o.section[i].data = m->s[i].p;
		m->o.section[i].size = m->s[i].len;
		m->o.map_len += m->s[i].len;
	}
	return &m->o;
}

static inline void put_uleb(struct bytes *b, u64 v)
{
	do
		bytes_le(b, (v & 0x7f) | (v > 0x7f ? 0x80 : 0), 1);
	while (v >>= 7);
}

static inline void put_string(struct bytes *b, const char *s)
{
	bytes_put(b, s, (u32)strlen(s) + 1);
}

/* @specs: names and forms, up to a 0 */
static inline void put_abbrev(struct bytes *b, u64 code, u64 tag, bool children,
			      const uint16_t *specs)
{
	put_uleb(b, code);
	put_uleb(b, tag);
	bytes_le(b, children, 1);
	for (; *specs; specs++)
		put_uleb(b, *specs);
	bytes_le(b, 0, 2);
}

/* Return: offset of the length, for end_unit(). */
static inline u32 put_unit(struct bytes *b, unsigned int version, u64 abbrev)
{
	u32 at = b->len;

	bytes_le(b, 0, 4);
	bytes_le(b, version, 2);
	if (version >= 5)
		bytes_le(b, DW_UT_compile | 8 << 8, 2);
	bytes_le(b, abbrev, 4);
	if (version < 5)
		bytes_le(b, 8, 1);
	return at;
}

static inline void end_unit(struct bytes *b, u32 at)
{
	u32 len = b->len - at - 4;

	memcpy(b->p + at, &len, 4);
}

#endif /* USTACK_UNIT_DWARF_MAKER_H */
