/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units of .debug_info (DWARF 5, 7.5.1; versions 2 to 5), and the values of
 * attributes in them.
 */
#ifndef USTACK_USER_DWARF_UNIT_H
#define USTACK_USER_DWARF_UNIT_H

#include "formats/dwarf/abbrev.h"

/**
 * struct dwarf_unit - a unit
 * @o: object that contains it; borrowed
 * @off: offset of its header in .debug_info
 * @end: offset of the first byte after it
 * @die: offset of its first entry
 * @abbrev_off: offset of its abbreviations in .debug_abbrev
 * @version: 2 to 5
 * @type: DW_UT_*; always DW_UT_compile in versions below 5
 * @sizes: sizes of its addresses and offsets
 * @dwo_id: id that a skeleton and its split unit share
 * @abbrevs: abbreviations, from dwarf_unit_open() to dwarf_unit_close()
 *
 * From its first entry, valid after dwarf_unit_open():
 * @has_lines: @lines is valid
 * @has_dwo_id: @dwo_id is valid; in version 5 already after dwarf_unit_header()
 * @lines: offset of its line table in .debug_line
 * @lang: DW_LANG_*
 * @comp_dir: directory of the compilation; NULL if there is none
 * @dwo_name: name of the .dwo file if it is a skeleton; else NULL
 * @low_pc: base of its ranges
 * @str_offsets_base: offset of its table in .debug_str_offsets
 * @addr_base: offset of its table in .debug_addr
 * @rnglists_base: offset of its table in .debug_rnglists
 * @ranges_base: offset in .debug_ranges that a split unit's ranges count from
 * @skeleton: skeleton of a split unit; borrowed
 * @packed: the unit is in a package, where offsets count from the unit's share of a
 *          section
 * @str_offsets_share: offset of its share in .debug_str_offsets, 0 outside of
 *                     packages
 * @rnglists_share: offset of its share in .debug_rnglists, 0 outside of
 *                  packages
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
 * @o: open; gets @units
 * @diag: may be NULL
 *
 * Type units are left out.
 *
 * Return: 0; -EBADMSG if a header is damaged; -ENOMEM.
 */
int dwarf_object_index(struct dwarf_object *o, struct diag *diag);

/**
 * dwarf_unit_header() - read the header of a unit
 * @o: open
 * @off: offset of the unit in .debug_info
 * @ret: the unit; its abbreviations and first entry are not read
 * @diag: may be NULL
 *
 * Return: 0; 1 if there is only padding, up to @ret->end; -EBADMSG.
 */
int dwarf_unit_header(const struct dwarf_object *o, uint64_t off, struct dwarf_unit *ret,
		      struct diag *diag);

/**
 * dwarf_unit_open() - read the abbreviations and the first entry of a unit
 * @u: after dwarf_unit_header(); with @skeleton if it is a split unit
 * @cache: cache of this thread
 * @diag: may be NULL
 *
 * Return: number of bytes read from tables that units share; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_unit_open(struct dwarf_unit *u, struct dwarf_abbrev_cache *cache,
			struct diag *diag);
void dwarf_unit_close(struct dwarf_unit *u);

/* Return: a cursor over the entries of a unit from @off on, an offset in .debug_info. */
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
 * struct dwarf_value - the value of an attribute, not yet interpreted
 * @form: DW_FORM_*, never DW_FORM_indirect
 * @u: number, offset or index; length of a block
 * @p: string or block
 */
struct dwarf_value {
	uint16_t form;
	uint64_t u;
	const uint8_t *p;
};

/* Reads a value and moves @c after it; @c becomes bad if the value is damaged. */
void dwarf_value_read(struct cursor *c, const struct dwarf_spec *s,
		      struct dwarf_sizes sizes, struct dwarf_value *ret);

/* Return: the string of a value; NULL if it is no string, or outside of its section. */
const char *dwarf_value_string(const struct dwarf_unit *u, const struct dwarf_value *v);
/* Return: false if it is no address, or outside of its table. */
bool dwarf_value_address(const struct dwarf_unit *u, const struct dwarf_value *v,
			 uint64_t *ret);
/* Reads entry @i of a unit's table of addresses. Return: false if there is none. */
bool dwarf_unit_address(const struct dwarf_unit *u, uint64_t i, uint64_t *ret);

/* A reference to an entry. */
struct dwarf_ref {
	const struct dwarf_object *o;
	uint64_t off;
};

/* Return: false if it is no reference to an entry that can be found by its offset. */
bool dwarf_value_ref(const struct dwarf_unit *u, const struct dwarf_value *v,
		     struct dwarf_ref *ret);

#endif /* USTACK_USER_DWARF_UNIT_H */
