// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads headers of units and their first entries, and finds all units of a file (unit.h).
 */
#include "formats/dwarf/unit.h"

#include <errno.h>

#include "formats/dwarf/constants.h"
#include "util/array.h"
#include "util/poison.h"

/*
 * Reads the fields after the length. Version 5 has another order, and more
 * fields for some types.
 */
static void read_fields(struct dwarf_unit *u, struct cursor *c)
{
	u->type = DW_UT_compile;
	u->version = cursor_u16(c);
	if (u->version >= 5) {
		u->type = cursor_u8(c);
		u->sizes.address = cursor_u8(c);
		u->abbrev_off = dwarf_uint(c, u->sizes.offset);
	} else {
		u->abbrev_off = dwarf_uint(c, u->sizes.offset);
		u->sizes.address = cursor_u8(c);
	}
	u->sizes.ref_addr = u->version > 2 ? u->sizes.offset : u->sizes.address;
	switch (u->type) {
	case DW_UT_skeleton:
	case DW_UT_split_compile:
		u->dwo_id = cursor_u64(c);
		u->has_dwo_id = true;
		break;
	case DW_UT_type:
	case DW_UT_split_type:
		cursor_u64(c);
		dwarf_uint(c, u->sizes.offset);
		break;
	}
}

int dwarf_unit_header(const struct dwarf_object *o, uint64_t off, struct dwarf_unit *ret,
		      struct diag *diag)
{
	struct cursor c = dwarf_object_at(o, DWARF_INFO, off);
	uint64_t len;

	*ret = (struct dwarf_unit){ .o = o, .off = off };
	len = dwarf_length(&c, &ret->sizes.offset);
	ret->end = off + (ret->sizes.offset == 4 ? 4 : 12);
	if (c.bad || len > cursor_left(&c))
		return dwarf_bad(o, DWARF_INFO, off, diag,
				 "the unit's length reaches beyond the end of the section");
	ret->end += len;
	if (!len)
		return 1;
	c.end = c.p + len;
	read_fields(ret, &c);
	if (c.bad)
		return dwarf_bad(o, DWARF_INFO, off, diag, "the unit ends in its header");
	if (ret->version < 2 || ret->version > 5)
		return dwarf_bad(o, DWARF_INFO, off, diag, "unknown DWARF version %u",
				 ret->version);
	if (ret->sizes.address != 4 && ret->sizes.address != 8)
		return dwarf_bad(o, DWARF_INFO, off, diag,
				 "addresses of %u bytes are not supported",
				 ret->sizes.address);
	if (ret->end - off > UINT32_MAX)
		return dwarf_bad(o, DWARF_INFO, off, diag,
				 "a unit of more than 4 GiB is not supported");
	ret->die = dwarf_unit_offset(ret, c.p);
	return 0;
}

int dwarf_object_index(struct dwarf_object *o, struct diag *diag)
{
	uint64_t size = o->section[DWARF_INFO].size, off, dropped = 0;
	struct dwarf_unit u;
	size_t room = 0;
	int r;

	for (off = 0; off < size; off = u.end) {
		r = dwarf_unit_header(o, off, &u, diag);
		if (r < 0)
			return r;
		if (u.end - dropped >= DWARF_DROP_EVERY) {
			dwarf_object_drop(o);
			dropped = u.end;
		}
		if (r || u.type == DW_UT_type || u.type == DW_UT_split_type)
			continue;
		if (!array_has_room(o->units, o->nr_units, room))
			return diag_errno(diag, ENOMEM, o->path);
		o->units[o->nr_units++] = off;
	}
	return 0;
}

static void take_offset(struct dwarf_unit *u, uint16_t name, const struct dwarf_value *v)
{
	switch (name) {
	case DW_AT_stmt_list:
		u->has_lines = true;
		u->lines = v->u;
		break;
	case DW_AT_str_offsets_base:
		u->str_offsets_base = v->u;
		break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		u->addr_base = v->u;
		break;
	case DW_AT_rnglists_base:
		u->rnglists_base = v->u;
		break;
	case DW_AT_GNU_ranges_base:
		u->ranges_base = v->u;
		break;
	case DW_AT_GNU_dwo_id:
		u->has_dwo_id = true;
		u->dwo_id = v->u;
		break;
	case DW_AT_language:
		u->lang = v->u > UINT16_MAX ? 0 : (uint16_t)v->u;
		break;
	}
}

/*
 * Attributes whose values may need those of take_offset(), which may come later
 * in the entry.
 */
static void take_indexed(struct dwarf_unit *u, uint16_t name, const struct dwarf_value *v)
{
	switch (name) {
	case DW_AT_comp_dir:
		u->comp_dir = dwarf_value_string(u, v);
		break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		u->dwo_name = dwarf_value_string(u, v);
		break;
	case DW_AT_low_pc:
		dwarf_value_address(u, v, &u->low_pc);
		break;
	}
}

/*
 * The tables of a split unit follow their headers directly; no attribute says
 * where they are.
 */
static void set_defaults(struct dwarf_unit *u)
{
	u->str_offsets_base = u->str_offsets_share;
	u->rnglists_base = u->rnglists_share;
	if (u->o->dwo && u->version >= 5) {
		u->str_offsets_base += u->sizes.offset == 4 ? 8 : 16;
		u->rnglists_base += u->sizes.offset == 4 ? 12 : 20;
	}
	if (u->skeleton) {
		u->low_pc = u->skeleton->low_pc;
		u->comp_dir = u->skeleton->comp_dir;
		u->has_lines = u->skeleton->has_lines;
		u->lines = u->skeleton->lines;
		u->ranges_base = u->skeleton->ranges_base;
	}
}

static bool read_die(struct dwarf_unit *u)
{
	struct cursor first = dwarf_unit_at(u, u->die), c;
	const struct dwarf_abbrev *a;
	const struct dwarf_spec *s;
	struct dwarf_value v;
	uint64_t code;
	int pass;

	set_defaults(u);
	code = cursor_uleb(&first);
	if (first.bad)
		return false;
	if (!code)	/* an empty unit */
		return true;
	a = dwarf_abbrev_find(u->abbrevs, code);
	if (!a)
		return false;
	for (pass = 0; pass < 2; pass++) {
		c = first;
		for (s = u->abbrevs->specs + a->specs;
		     s < u->abbrevs->specs + a->specs + a->nr_specs; s++) {
			dwarf_value_read(&c, s, u->sizes, &v);
			if (pass)
				take_indexed(u, s->name, &v);
			else
				take_offset(u, s->name, &v);
		}
	}
	return !c.bad;
}

static int64_t length(const char *s)
{
	return s ? (int64_t)strlen(s) : 0;
}

int64_t dwarf_unit_open(struct dwarf_unit *u, struct dwarf_abbrev_cache *cache,
			struct diag *diag)
{
	int64_t n;

	n = dwarf_abbrevs_get(cache, u->o, u->abbrev_off, u->sizes, &u->abbrevs, diag);
	if (n < 0)
		return n;
	if (!read_die(u)) {
		dwarf_unit_close(u);
		return dwarf_bad(u->o, DWARF_INFO, u->die, diag,
				 "the unit's own entry is damaged");
	}
	return n + length(u->comp_dir) + length(u->dwo_name);
}

void dwarf_unit_close(struct dwarf_unit *u)
{
	dwarf_abbrevs_put(u->abbrevs);
	u->abbrevs = NULL;
}
