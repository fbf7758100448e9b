/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of abbreviations (DWARF 5, 7.5.3), prepared for walking over entries:
 * the attributes of an entry can be skipped without looking at each of them.
 *
 * Context: one thread for each cache and its tables.
 */
#ifndef USTACK_USER_DWARF_ABBREV_H
#define USTACK_USER_DWARF_ABBREV_H

#include "formats/dwarf/object.h"

/* An attribute of an abbreviation. @implicit: value of DW_FORM_implicit_const. */
struct dwarf_spec {
	uint16_t name;
	uint16_t form;
	int64_t implicit;
};

/* A value of variable size that follows @bytes of struct dwarf_skip. */
enum dwarf_skip_then {
	DWARF_SKIP_END,
	DWARF_SKIP_LEB,
	DWARF_SKIP_STRING,
	DWARF_SKIP_BLOCK1,
	DWARF_SKIP_BLOCK2,
	DWARF_SKIP_BLOCK4,
	DWARF_SKIP_BLOCK,
	DWARF_SKIP_INDIRECT,
};

struct dwarf_skip {
	uint32_t bytes;
	uint8_t then;
};

/**
 * struct dwarf_abbrev - an abbreviation: the layout of all entries with its
 * code
 * @code: code of the entries
 * @specs: index of its first attribute in the table
 * @nr_specs: number of its attributes
 * @skips: index of the first step that skips its attributes
 * @tag: DW_TAG_* of the entries
 * @children: the entries have children
 * @has_pc: the entries have DW_AT_low_pc or DW_AT_ranges
 * @sibling: bytes before DW_AT_sibling; -1 if it is missing or must not be used
 *           because functions may be among the children
 * @sibling_size: bytes of the value of DW_AT_sibling
 */
struct dwarf_abbrev {
	uint64_t code;
	uint32_t specs;
	uint32_t nr_specs;
	uint32_t skips;
	uint16_t tag;
	bool children;
	bool has_pc;
	int16_t sibling;
	uint8_t sibling_size;
};

/* Sizes that depend on the unit, in bytes. */
struct dwarf_sizes {
	uint8_t address;
	uint8_t offset;
	uint8_t ref_addr;
};

struct dwarf_abbrevs {
	const struct dwarf_object *o;
	uint64_t off;		/* offset of the table in .debug_abbrev */
	uint64_t bytes;
	struct dwarf_sizes sizes;
	bool dense;		/* codes are 1, 2, 3, ... */
	unsigned int users;
	uint64_t used;		/* time of the last use, for the cache */

	struct dwarf_abbrev *abbrevs;
	struct dwarf_spec *specs;
	struct dwarf_skip *skips;
	size_t nr_abbrevs, nr_specs, nr_skips;
	size_t room_abbrevs, room_specs, room_skips;
};

/* More slots than a thread has units open at the same time. */
#define DWARF_ABBREV_SLOTS 80

struct dwarf_abbrev_cache {
	struct dwarf_abbrevs slot[DWARF_ABBREV_SLOTS];
	uint64_t clock;
};

/**
 * dwarf_abbrevs_get() - get a table from the cache, or read it
 * @cache: zeroed before its first use
 * @o: object that has the table
 * @off: offset of the table in .debug_abbrev
 * @sizes: sizes of the unit
 * @ret: the table, valid until dwarf_abbrevs_put()
 * @diag: may be NULL
 *
 * Return: number of bytes read, 0 if the table was in the cache; -EBADMSG;
 * -ENOMEM.
 */
int64_t dwarf_abbrevs_get(struct dwarf_abbrev_cache *cache, const struct dwarf_object *o,
			  uint64_t off, struct dwarf_sizes sizes,
			  struct dwarf_abbrevs **ret, struct diag *diag);
/* @t may be NULL. */
void dwarf_abbrevs_put(struct dwarf_abbrevs *t);
/* Called before @o is closed; none of its tables may be in use. */
void dwarf_abbrev_cache_forget(struct dwarf_abbrev_cache *cache,
			       const struct dwarf_object *o);
void dwarf_abbrev_cache_release(struct dwarf_abbrev_cache *cache);

/* For tables whose codes are not 1, 2, 3, ... Return: NULL if the table has no such code. */
const struct dwarf_abbrev *dwarf_abbrev_search(const struct dwarf_abbrevs *t,
					       uint64_t code);

/* Return: NULL if the table has no such code. */
static inline const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrevs *t,
							   uint64_t code)
{
	if (__builtin_expect(t->dense, 1))
		return code - 1 < t->nr_abbrevs ? &t->abbrevs[code - 1] : NULL;
	return dwarf_abbrev_search(t, code);
}

/* How to skip a value of @form. Return: false if the form is unknown. */
bool dwarf_form_skip(uint16_t form, struct dwarf_sizes sizes, struct dwarf_skip *ret);

void dwarf_skip_indirect(struct cursor *c, struct dwarf_sizes sizes);

static inline void dwarf_skip_step(struct cursor *c, const struct dwarf_skip *s,
				   struct dwarf_sizes sizes)
{
	cursor_skip(c, s->bytes);
	switch (s->then) {
	case DWARF_SKIP_LEB:
		cursor_skip_leb(c);
		break;
	case DWARF_SKIP_STRING:
		dwarf_string(c);
		break;
	case DWARF_SKIP_BLOCK1:
		cursor_skip(c, cursor_u8(c));
		break;
	case DWARF_SKIP_BLOCK2:
		cursor_skip(c, cursor_u16(c));
		break;
	case DWARF_SKIP_BLOCK4:
		cursor_skip(c, cursor_u32(c));
		break;
	case DWARF_SKIP_BLOCK:
		cursor_skip(c, cursor_uleb(c));
		break;
	case DWARF_SKIP_INDIRECT:
		dwarf_skip_indirect(c, sizes);
		break;
	}
}

/* Skips the attributes of an entry. */
static inline void dwarf_skip_attrs(struct cursor *c, const struct dwarf_abbrevs *t,
				    const struct dwarf_abbrev *a)
{
	const struct dwarf_skip *s = t->skips + a->skips;

	for (; s->then != DWARF_SKIP_END; s++)
		dwarf_skip_step(c, s, t->sizes);
	cursor_skip(c, s->bytes);
}

#endif /* USTACK_USER_DWARF_ABBREV_H */
