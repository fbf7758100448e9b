/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which entry another one is in. Entries do not say it, so a unit is walked for it, as
 * far as has been asked for.
 */
#ifndef USTACK_USER_DWARF_SCOPES_H
#define USTACK_USER_DWARF_SCOPES_H

#include "formats/dwarf/unit.h"

#define DWARF_NO_SCOPE UINT32_MAX

/**
 * struct dwarf_scope - an entry with others in it
 * @off: where it starts, from the start of the unit
 * @end: where it ends; UINT32_MAX as long as that is not known
 * @parent: number of the one that it is in; DWARF_NO_SCOPE for the unit's own entry
 * @tag: DW_TAG_*
 */
struct dwarf_scope {
	uint32_t off;
	uint32_t end;
	uint32_t parent;
	uint16_t tag;
};

/* Zeroed at first; can be used again and again. */
struct dwarf_scopes {
	const struct dwarf_unit *u;
	struct dwarf_scope *p;
	size_t nr;
	size_t room;
	uint64_t at;		/* walked up to here, in .debug_info */
	uint32_t open;		/* scope that @at is in */
	uint32_t depth;
};

/* For the entries of @u, which is open and stays where it is. */
void dwarf_scopes_start(struct dwarf_scopes *s, const struct dwarf_unit *u);
void dwarf_scopes_release(struct dwarf_scopes *s);

/**
 * dwarf_scopes_parent() - what an entry is in
 * @s: of its unit
 * @off: where it starts, in .debug_info
 * @ret: on success: number of the scope, DWARF_NO_SCOPE for the unit's own entry
 *
 * Return: bytes that were walked; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_scopes_parent(struct dwarf_scopes *s, uint64_t off, uint32_t *ret);

#endif /* USTACK_USER_DWARF_SCOPES_H */
