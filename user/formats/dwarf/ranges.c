// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads lists of address ranges (ranges.h).
 */
#include "formats/dwarf/ranges.h"

#include <errno.h>

#include "formats/dwarf/constants.h"
#include "util/array.h"
#include "util/poison.h"

int dwarf_ranges_add(struct dwarf_ranges *r, uint64_t start, uint64_t end)
{
	if (start >= end)
		return 0;
	if (!array_has_room(r->p, r->nr, r->room))
		return -ENOMEM;
	r->p[r->nr++] = (struct range){ start, end };
	return 0;
}

/*
 * Reads a list up to version 4: pairs of offsets from a base. A pair that
 * begins with the highest address sets the base.
 */
static int read_pairs(const struct dwarf_unit *u, struct cursor *c,
		      struct dwarf_ranges *ret)
{
	uint64_t mask = u->sizes.address == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t base = u->low_pc, start, end;

	for (;;) {
		start = dwarf_uint(c, u->sizes.address);
		end = dwarf_uint(c, u->sizes.address);
		if (c->bad)
			return -EBADMSG;
		if (!start && !end)
			return 0;
		if (start == mask)
			base = end;
		else if (dwarf_ranges_add(ret, (base + start) & mask, (base + end) & mask))
			return -ENOMEM;
	}
}

/*
 * Reads one entry of a list of version 5. Return: 1 at the end of the list; 0;
 * a negative errno.
 */
static int read_entry(const struct dwarf_unit *u, struct cursor *c, uint64_t *base,
		      struct dwarf_ranges *ret)
{
	uint64_t start = 0, end = 0;
	bool found = true;

	switch (cursor_u8(c)) {
	case DW_RLE_end_of_list:
		return c->bad ? -EBADMSG : 1;
	case DW_RLE_base_addressx:
		found = dwarf_unit_address(u, cursor_uleb(c), base);
		break;
	case DW_RLE_startx_endx:
		found = dwarf_unit_address(u, cursor_uleb(c), &start) &&
			dwarf_unit_address(u, cursor_uleb(c), &end);
		break;
	case DW_RLE_startx_length:
		found = dwarf_unit_address(u, cursor_uleb(c), &start);
		end = start + cursor_uleb(c);
		break;
	case DW_RLE_offset_pair:
		start = *base + cursor_uleb(c);
		end = *base + cursor_uleb(c);
		break;
	case DW_RLE_base_address:
		*base = dwarf_uint(c, u->sizes.address);
		break;
	case DW_RLE_start_end:
		start = dwarf_uint(c, u->sizes.address);
		end = dwarf_uint(c, u->sizes.address);
		break;
	case DW_RLE_start_length:
		start = dwarf_uint(c, u->sizes.address);
		end = start + cursor_uleb(c);
		break;
	default:
		return -EBADMSG;
	}
	if (c->bad || !found)
		return -EBADMSG;
	return dwarf_ranges_add(ret, start, end);
}

static int read_list(const struct dwarf_unit *u, struct cursor *c,
		     struct dwarf_ranges *ret)
{
	uint64_t base = u->low_pc;
	int r;

	do
		r = read_entry(u, c, &base, ret);
	while (!r);
	return r < 0 ? r : 0;
}

/* Finds the offset of a list. Return: false if the value does not lead to one. */
static bool find_list(const struct dwarf_unit *u, const struct dwarf_value *v,
		      uint64_t *ret)
{
	struct cursor c;
	uint64_t at;

	*ret = v->u;
	if (v->form == DW_FORM_rnglistx) {
		if (__builtin_mul_overflow(v->u, (uint64_t)u->sizes.offset, &at) ||
		    __builtin_add_overflow(at, u->rnglists_base, &at))
			return false;
		c = dwarf_object_at(u->o, DWARF_RNGLISTS, at);
		*ret = dwarf_uint(&c, u->sizes.offset) + u->rnglists_base;
		return !c.bad;
	}
	*ret += u->version >= 5 ? u->rnglists_share : u->skeleton ? u->ranges_base : 0;
	return v->form == DW_FORM_sec_offset || v->form == DW_FORM_data4 ||
	       v->form == DW_FORM_data8;
}

int64_t dwarf_ranges_read(const struct dwarf_unit *u, const struct dwarf_value *v,
			  struct dwarf_ranges *ret, struct diag *diag)
{
	enum dwarf_section_id id = u->version < 5 ? DWARF_RANGES : DWARF_RNGLISTS;
	const struct dwarf_object *o = u->o;
	size_t had = ret->nr;
	struct cursor c;
	uint64_t off = 0;
	const uint8_t *start;
	int err = -EBADMSG;

	if (u->version < 5 && u->skeleton)
		o = u->skeleton->o;
	c.p = start = NULL;
	if (find_list(u, v, &off)) {
		c = dwarf_object_at(o, id, off);
		start = c.p;
		err = id == DWARF_RANGES ? read_pairs(u, &c, ret) : read_list(u, &c, ret);
	}
	if (!err)
		return c.p - start;
	ret->nr = had;
	if (err == -ENOMEM)
		return diag_errno(diag, ENOMEM, o->path);
	return dwarf_bad(o, id, off, diag, "damaged list of ranges");
}
