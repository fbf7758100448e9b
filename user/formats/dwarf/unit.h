/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units of .debug_info (DWARF 5, 7.5.1; versions 2 to 5), and values of attributes in
 * them.
 */
#ifndef USTACK_USER_DWARF_UNIT_H
#define USTACK_USER_DWARF_UNIT_H

#include "formats/dwarf/abbrev.h"

/**
 * struct dwarf_unit - one of them
 * @o: whose; borrowed
 * @off: of its header in .debug_info
 * @end: offset of what is behind it
 * @die: offset of its first entry
 * @abbrev_off: of its abbreviations, in .debug_abbrev
 * @version: 2 to 5
 * @type: DW_UT_*; of versions below 5 always DW_UT_compile
 * @sizes: of addresses and offsets
 * @dwo_id: of skeletons and split units
 * @abbrevs: from dwarf_unit_open() to dwarf_unit_close()
 *
 * What its entry says, from dwarf_unit_open() on:
 * @has_lines: it has @lines
 * @has_dwo_id: it has @dwo_id, other than in a header of version 5
 * @lines: offset in .debug_line
 * @lang: DW_LANG_*
 * @comp_dir: NULL if there is none
 * @dwo_name: likewise: it is a skeleton
 * @low_pc: what ranges count from
 * @str_offsets_base: in .debug_str_offsets
 * @addr_base: in .debug_addr
 * @rnglists_base: in .debug_rnglists
 * @ranges_base: in .debug_ranges, of split units alone
 * @skeleton: of a split unit; borrowed
 * @packed: it is in a package, where offsets count from its share of a section:
 * @str_offsets_share: where that is in .debug_str_offsets, 0 outside of packages
 * @rnglists_share: likewise in .debug_rnglists
 */
struct dwarf_unit {
	const struct dwarf_object *o;
	uint64_t off;
	uint64_t end;
	uint64_t die;
	uint64_t abbrev_off;
	uint16_t version;
	uint8_t type;
	struct dwarf_sizes sizes;
	uint64_t dwo_id;
	struct dwarf_abbrevs *abbrevs;

	bool has_lines;
	bool has_dwo_id;
	uint64_t lines;
	uint16_t lang;
	const char *comp_dir;
	const char *dwo_name;
	uint64_t low_pc;
	uint64_t str_offsets_base;
	uint64_t addr_base;
	uint64_t rnglists_base;
	uint64_t ranges_base;
	const struct dwarf_unit *skeleton;
	bool packed;
	uint64_t str_offsets_share;
	uint64_t rnglists_share;
};

/**
 * dwarf_object_index() - find all units
 * @o: open; filled in
 * @diag: may be NULL
 *
 * Type units are not among them.
 *
 * Return: 0; -EBADMSG if a header is damaged; -ENOMEM.
 */
int dwarf_object_index(struct dwarf_object *o, struct diag *diag);

/**
 * dwarf_unit_header() - read what is in front of the entries
 * @o: open
 * @off: in .debug_info
 * @ret: on success
 * @diag: may be NULL
 *
 * Return: 0; 1 if there are only bytes of padding, up to @ret's end; -EBADMSG.
 */
int dwarf_unit_header(const struct dwarf_object *o, uint64_t off, struct dwarf_unit *ret,
		      struct diag *diag);

/**
 * dwarf_unit_open() - read abbreviations and the unit's own entry
 * @u: with a header, and @skeleton if it is a split unit
 * @cache: of this thread
 * @diag: may be NULL
 *
 * Return: bytes that were read of tables that units share; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_unit_open(struct dwarf_unit *u, struct dwarf_abbrev_cache *cache,
			struct diag *diag);
void dwarf_unit_close(struct dwarf_unit *u);

/* The entries of a unit from @off on, which is an offset in .debug_info. */
static inline struct cursor dwarf_unit_at(const struct dwarf_unit *u, uint64_t off)
{
	struct cursor c = dwarf_object_at(u->o, DWARF_INFO, off);

	if (c.bad || off < u->die || off > u->end)
		return cursor_none();
	c.end = u->o->section[DWARF_INFO].data + u->end;
	return c;
}

static inline uint64_t dwarf_unit_offset(const struct dwarf_unit *u, const uint8_t *p)
{
	return (uint64_t)(p - u->o->section[DWARF_INFO].data);
}

/**
 * struct dwarf_value - of an attribute, not yet interpreted
 * @form: never DW_FORM_indirect
 * @u: number, offset or index; length of a block
 * @p: string or block
 */
struct dwarf_value {
	uint16_t form;
	uint64_t u;
	const uint8_t *p;
};

/* @c is behind it then, and bad if it is damaged. */
void dwarf_value_read(struct cursor *c, const struct dwarf_spec *s,
		      struct dwarf_sizes sizes, struct dwarf_value *ret);

/* Return: NULL if it is no string, or not there. */
const char *dwarf_value_string(const struct dwarf_unit *u, const struct dwarf_value *v);
/* Return: false if it is no address, or not there. */
bool dwarf_value_address(const struct dwarf_unit *u, const struct dwarf_value *v,
			 uint64_t *ret);
/* Entry @i of the addresses of a unit. */
bool dwarf_unit_address(const struct dwarf_unit *u, uint64_t i, uint64_t *ret);

/* An entry. */
struct dwarf_ref {
	const struct dwarf_object *o;
	uint64_t off;
};

/* Return: false if it is no reference to an entry that can be found by its offset. */
bool dwarf_value_ref(const struct dwarf_unit *u, const struct dwarf_value *v,
		     struct dwarf_ref *ret);

#endif /* USTACK_USER_DWARF_UNIT_H */
