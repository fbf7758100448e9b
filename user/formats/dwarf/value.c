// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads values of attributes by their form; looks strings and addresses up in
 * their tables.
 */
#include "formats/dwarf/constants.h"
#include "formats/dwarf/unit.h"
#include "util/poison.h"

static void read_block(struct cursor *c, uint64_t len, struct dwarf_value *ret)
{
	ret->u = len;
	ret->p = c->p;
	cursor_skip(c, len);
}

void dwarf_value_read(struct cursor *c, const struct dwarf_spec *s,
		      struct dwarf_sizes sizes, struct dwarf_value *ret)
{
	struct dwarf_skip skip;
	uint64_t form = s->form;

	if (form == DW_FORM_indirect) {
		form = cursor_uleb(c);
		if (form == DW_FORM_indirect || form == DW_FORM_implicit_const ||
		    form > UINT16_MAX)
			form = 0;
	}
	*ret = (struct dwarf_value){ .form = (uint16_t)form };
	if (!dwarf_form_skip(ret->form, sizes, &skip)) {
		cursor_set_bad(c);
		return;
	}
	switch (skip.then) {
	case DWARF_SKIP_LEB:
		ret->u = form == DW_FORM_sdata ? (uint64_t)cursor_sleb(c) : cursor_uleb(c);
		return;
	case DWARF_SKIP_STRING:
		ret->p = (const uint8_t *)dwarf_string(c);
		return;
	case DWARF_SKIP_BLOCK1:
		read_block(c, cursor_u8(c), ret);
		return;
	case DWARF_SKIP_BLOCK2:
		read_block(c, cursor_u16(c), ret);
		return;
	case DWARF_SKIP_BLOCK4:
		read_block(c, cursor_u32(c), ret);
		return;
	case DWARF_SKIP_BLOCK:
		read_block(c, cursor_uleb(c), ret);
		return;
	}
	if (skip.bytes == 16)
		read_block(c, 16, ret);
	else if (skip.bytes)
		ret->u = dwarf_uint(c, skip.bytes);
	else
		ret->u = form == DW_FORM_implicit_const ? (uint64_t)s->implicit : 1;
}

/* Reads entry @i of a table whose entries have @size bytes. */
static bool table_entry(const struct dwarf_object *o, enum dwarf_section_id id,
			uint64_t base, uint64_t i, unsigned int size, uint64_t *ret)
{
	struct cursor c;
	uint64_t off;

	if (__builtin_mul_overflow(i, (uint64_t)size, &off) ||
	    __builtin_add_overflow(base, off, &off))
		return false;
	c = dwarf_object_at(o, id, off);
	*ret = dwarf_uint(&c, size);
	return !c.bad;
}

const char *dwarf_value_string(const struct dwarf_unit *u, const struct dwarf_value *v)
{
	uint64_t off;

	switch (v->form) {
	case DW_FORM_string:
		return (const char *)v->p;
	case DW_FORM_strp:
		return dwarf_object_string(u->o, DWARF_STR, v->u);
	case DW_FORM_line_strp:
		return dwarf_object_string(u->o, DWARF_LINE_STR, v->u);
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		return u->o->alt ? dwarf_object_string(u->o->alt, DWARF_STR, v->u) : NULL;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		return table_entry(u->o, DWARF_STR_OFFSETS, u->str_offsets_base, v->u,
				   u->sizes.offset, &off) ?
			       dwarf_object_string(u->o, DWARF_STR, off) :
			       NULL;
	}
	return NULL;
}

bool dwarf_unit_address(const struct dwarf_unit *u, uint64_t i, uint64_t *ret)
{
	/* addresses are relocated, so the linked file has those of a split unit */
	const struct dwarf_unit *of = u->skeleton ? u->skeleton : u;

	return table_entry(of->o, DWARF_ADDR, of->addr_base, i, of->sizes.address, ret);
}

bool dwarf_value_address(const struct dwarf_unit *u, const struct dwarf_value *v,
			 uint64_t *ret)
{
	switch (v->form) {
	case DW_FORM_addr:
		*ret = v->u;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return dwarf_unit_address(u, v->u, ret);
	}
	return false;
}

bool dwarf_value_ref(const struct dwarf_unit *u, const struct dwarf_value *v,
		     struct dwarf_ref *ret)
{
	switch (v->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		if (v->u >= u->end - u->off)
			return false;
		*ret = (struct dwarf_ref){ u->o, u->off + v->u };
		return true;
	case DW_FORM_ref_addr:
		/* nothing says where in the package that entry is */
		if (u->packed)
			return false;
		*ret = (struct dwarf_ref){ u->o, v->u };
		return true;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		*ret = (struct dwarf_ref){ u->o->alt, v->u };
		return u->o->alt;
	}
	return false;
}
