/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks over the entries of a unit (DWARF 5, 7.5.2) in the order of the file.
 */
#ifndef USTACK_USER_DWARF_DIE_H
#define USTACK_USER_DWARF_DIE_H

#include "formats/dwarf/unit.h"

/*
 * Reads the code of an entry. Return: its abbreviation; NULL if the code ends a
 * list of children, or is damaged.
 */
static inline const struct dwarf_abbrev *dwarf_die_code(struct cursor *c,
							const struct dwarf_abbrevs *t)
{
	const struct dwarf_abbrev *a;
	uint64_t code = cursor_uleb(c);

	if (!code)
		return NULL;
	a = dwarf_abbrev_find(t, code);
	if (__builtin_expect(!a, 0))
		cursor_set_bad(c);
	return a;
}

/*
 * Skips an entry and its children at once if none of them matters. @c is after
 * the entry's code. DW_AT_sibling only ever leads forward, so a walk always
 * ends.
 */
static inline bool dwarf_die_skip_tree(struct cursor *c, const struct dwarf_unit *u,
				       const struct dwarf_abbrev *a)
{
	struct cursor s = *c;
	const uint8_t *to;
	uint64_t off;

	if (a->sibling < 0 || !a->children)
		return false;
	cursor_skip(&s, (uint64_t)a->sibling);
	off = dwarf_uint(&s, a->sibling_size);
	if (s.bad || off > u->end - u->off)
		return false;
	to = u->o->section[DWARF_INFO].data + u->off + off;
	if (to < s.p)
		return false;
	c->p = to;
	return true;
}

#endif /* USTACK_USER_DWARF_DIE_H */
