/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of abbreviations (DWARF 5, 7.5.3), made ready for walking: what an entry's
 * attributes take is known without looking at each of them.
 *
 * Context: of one thread.
 */
#ifndef USTACK_USER_DWARF_ABBREV_H
#define USTACK_USER_DWARF_ABBREV_H

#include "formats/dwarf/object.h"

/* An attribute. @implicit: value of DW_FORM_implicit_const. */
struct dwarf_spec {
	uint16_t name;
	uint16_t form;
	int64_t implicit;
};

/* What follows bytes that are skipped. */
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

struct cursor_skip {
	uint32_t bytes;
	uint8_t then;
};

/**
 * struct dwarf_abbrev - what entries of a code are like
 * @code: of them
 * @specs: number of its first attribute in the table
 * @nr_specs: attributes
 * @skips: number of the first step that skips its attributes
 * @tag: of the entries
 * @children: they have them
 * @has_pc: they have DW_AT_low_pc or DW_AT_ranges
 * @sibling: bytes in front of DW_AT_sibling; -1 if it is not there or may not be used:
 *           functions may be among the children
 * @sibling_size: bytes of it
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

/* Sizes that depend on the unit. */
struct dwarf_sizes {
	uint8_t address;
	uint8_t offset;
	uint8_t ref_addr;
};

struct dwarf_abbrevs {
	const struct dwarf_object *o;
	uint64_t off;		/* in .debug_abbrev */
	uint64_t bytes;
	struct dwarf_sizes sizes;
	bool dense;		/* codes are 1, 2, 3, ... */
	unsigned int users;
	uint64_t used;		/* when, for the cache */

	struct dwarf_abbrev *abbrevs;
	struct dwarf_spec *specs;
	struct cursor_skip *skips;
	size_t nr_abbrevs, nr_specs, nr_skips;
	size_t room_abbrevs, room_specs, room_skips;
};

/* More than a thread has units open at a time. */
#define DWARF_ABBREV_SLOTS 80

struct dwarf_abbrev_cache {
	struct dwarf_abbrevs slot[DWARF_ABBREV_SLOTS];
	uint64_t clock;
};

/**
 * dwarf_abbrevs_get() - a table, read or found
 * @cache: zeroed at first
 * @o: whose
 * @off: in its .debug_abbrev
 * @sizes: of the unit
 * @ret: until dwarf_abbrevs_put()
 * @diag: may be NULL
 *
 * Return: bytes read, 0 if it was there; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_abbrevs_get(struct dwarf_abbrev_cache *cache, const struct dwarf_object *o,
			  uint64_t off, struct dwarf_sizes sizes,
			  struct dwarf_abbrevs **ret, struct diag *diag);
/* NULL is fine. */
void dwarf_abbrevs_put(struct dwarf_abbrevs *t);
/* Before @o is closed: none of its tables is in use. */
void dwarf_abbrev_cache_forget(struct dwarf_abbrev_cache *cache,
			       const struct dwarf_object *o);
void dwarf_abbrev_cache_release(struct dwarf_abbrev_cache *cache);

/* No table has the code. */
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

/* What takes one of @form; false if it is no form that is known. */
bool dwarf_form_skip(uint16_t form, struct dwarf_sizes sizes, struct cursor_skip *ret);

void dwarf_skip_indirect(struct cursor *c, struct dwarf_sizes sizes);

static inline void dwarf_skip_step(struct cursor *c, const struct cursor_skip *s,
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

/* The attributes of an entry. */
static inline void dwarf_skip_attrs(struct cursor *c, const struct dwarf_abbrevs *t,
				    const struct dwarf_abbrev *a)
{
	const struct cursor_skip *s = t->skips + a->skips;

	for (; s->then != DWARF_SKIP_END; s++)
		dwarf_skip_step(c, s, t->sizes);
	cursor_skip(c, s->bytes);
}

#endif /* USTACK_USER_DWARF_ABBREV_H */
