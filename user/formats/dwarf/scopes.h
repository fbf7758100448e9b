/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the entry that contains another one. Entries do not say it, so the unit
 * is walked for it, as far as the questions so far needed.
 */
#ifndef USTACK_USER_DWARF_SCOPES_H
#define USTACK_USER_DWARF_SCOPES_H

#include "formats/dwarf/unit.h"

#define DWARF_NO_SCOPE UINT32_MAX

/**
 * struct dwarf_scope - an entry with children
 * @off: offset of the entry from the start of the unit
 * @end: offset of its end; UINT32_MAX as long as that is not known
 * @parent: index of the scope that contains it; DWARF_NO_SCOPE for the unit's
 *          own entry
 * @tag: DW_TAG_*
 */
struct dwarf_scope {
	uint32_t off;
	uint32_t end;
	uint32_t parent;
	uint16_t tag;
};

/*
 * The scopes of a unit. Zeroed before the first use; may be used for one unit
 * after the other.
 */
struct dwarf_scopes {
	const struct dwarf_unit *u;
	struct dwarf_scope *p;
	size_t nr;
	size_t room;
	/* offset in .debug_info up to which the unit was walked */
	uint64_t at;
	uint32_t open;		/* scope that contains @at */
	uint32_t depth;
};

/* Begins with the entries of @u, which is open and stays at its address. */
void dwarf_scopes_start(struct dwarf_scopes *s, const struct dwarf_unit *u);
void dwarf_scopes_release(struct dwarf_scopes *s);

/**
 * dwarf_scopes_parent() - find the scope that contains an entry
 * @s: scopes of its unit
 * @off: offset of the entry in .debug_info
 * @ret: index of the scope, DWARF_NO_SCOPE for the unit's own entry
 *
 * Return: number of bytes that were walked; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_scopes_parent(struct dwarf_scopes *s, uint64_t off, uint32_t *ret);

#endif /* USTACK_USER_DWARF_SCOPES_H */
