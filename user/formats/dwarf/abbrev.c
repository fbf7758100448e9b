// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads tables of abbreviations and keeps them in a cache (abbrev.h).
 */
#include "formats/dwarf/abbrev.h"

#include <errno.h>
#include <stdlib.h>

#include "formats/dwarf/constants.h"
#include "formats/dwarf/limits.h"
#include "util/array.h"
#include "util/poison.h"

/* Bytes of forms below DW_FORM_addrx4 that have a fixed size; 0 for other forms. */
static const uint8_t fixed[] = {
	[DW_FORM_data1] = 1, [DW_FORM_data2] = 2, [DW_FORM_data4] = 4,
	[DW_FORM_data8] = 8, [DW_FORM_data16] = 16, [DW_FORM_flag] = 1,
	[DW_FORM_ref1] = 1, [DW_FORM_ref2] = 2, [DW_FORM_ref4] = 4,
	[DW_FORM_ref8] = 8, [DW_FORM_ref_sig8] = 8, [DW_FORM_ref_sup4] = 4,
	[DW_FORM_ref_sup8] = 8, [DW_FORM_strx1] = 1, [DW_FORM_strx2] = 2,
	[DW_FORM_strx3] = 3, [DW_FORM_strx4] = 4, [DW_FORM_addrx1] = 1,
	[DW_FORM_addrx2] = 2, [DW_FORM_addrx3] = 3, [DW_FORM_addrx4] = 4,
};

bool dwarf_form_skip(uint16_t form, struct dwarf_sizes sizes, struct dwarf_skip *ret)
{
	*ret = (struct dwarf_skip){ 0, DWARF_SKIP_END };
	if (form < sizeof(fixed) && fixed[form]) {
		ret->bytes = fixed[form];
		return true;
	}
	switch (form) {
	case DW_FORM_addr:
		ret->bytes = sizes.address;
		return true;
	case DW_FORM_ref_addr:
		ret->bytes = sizes.ref_addr;
		return true;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		ret->bytes = sizes.offset;
		return true;
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return true;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		ret->then = DWARF_SKIP_LEB;
		return true;
	case DW_FORM_string:
		ret->then = DWARF_SKIP_STRING;
		return true;
	case DW_FORM_block1:
		ret->then = DWARF_SKIP_BLOCK1;
		return true;
	case DW_FORM_block2:
		ret->then = DWARF_SKIP_BLOCK2;
		return true;
	case DW_FORM_block4:
		ret->then = DWARF_SKIP_BLOCK4;
		return true;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		ret->then = DWARF_SKIP_BLOCK;
		return true;
	case DW_FORM_indirect:
		ret->then = DWARF_SKIP_INDIRECT;
		return true;
	}
	return false;
}

void dwarf_skip_indirect(struct cursor *c, struct dwarf_sizes sizes)
{
	uint64_t form = cursor_uleb(c);
	struct dwarf_skip s;

	if (form > UINT16_MAX || form == DW_FORM_indirect ||
	    form == DW_FORM_implicit_const ||
	    !dwarf_form_skip((uint16_t)form, sizes, &s))
		cursor_set_bad(c);
	else
		dwarf_skip_step(c, &s, sizes);
}

/* Whether an entry's children cannot be functions, nor have names that functions use. */
static bool has_no_functions(uint16_t tag)
{
	return tag == DW_TAG_enumeration_type || tag == DW_TAG_array_type ||
	       tag == DW_TAG_subroutine_type || tag == DW_TAG_call_site ||
	       tag == DW_TAG_GNU_call_site;
}

static void note_spec(struct dwarf_abbrev *a, const struct dwarf_spec *s, bool steps,
		      uint32_t bytes)
{
	if (s->name == DW_AT_low_pc || s->name == DW_AT_ranges)
		a->has_pc = true;
	if (s->name != DW_AT_sibling || steps || bytes > INT16_MAX ||
	    !has_no_functions(a->tag))
		return;
	if (s->form == DW_FORM_ref1 || s->form == DW_FORM_ref2 ||
	    s->form == DW_FORM_ref4 || s->form == DW_FORM_ref8) {
		a->sibling = (int16_t)bytes;
		a->sibling_size = fixed[s->form];
	}
}

static int add_skip(struct dwarf_abbrevs *t, struct dwarf_skip s)
{
	if (!array_has_room(t->skips, t->nr_skips, t->room_skips))
		return -ENOMEM;
	t->skips[t->nr_skips++] = s;
	return 0;
}

/* Reads the attributes of an abbreviation, which end with a pair of zeros. */
static int read_specs(struct dwarf_abbrevs *t, struct cursor *c,
		      struct dwarf_abbrev *a)
{
	uint32_t bytes = 0;
	struct dwarf_skip skip;
	struct dwarf_spec s;
	uint64_t name, form;

	for (;;) {
		name = cursor_uleb(c);
		form = cursor_uleb(c);
		if (c->bad || name > UINT16_MAX || form > UINT16_MAX)
			return -EBADMSG;
		if (!name && !form)
			return add_skip(t, (struct dwarf_skip){ bytes, DWARF_SKIP_END });
		s = (struct dwarf_spec){ (uint16_t)name, (uint16_t)form, 0 };
		if (form == DW_FORM_implicit_const)
			s.implicit = cursor_sleb(c);
		if (!dwarf_form_skip(s.form, t->sizes, &skip) ||
		    t->nr_specs >= DWARF_MAX_SPECS)
			return -EBADMSG;
		note_spec(a, &s, t->nr_skips > a->skips, bytes);
		bytes += skip.bytes;
		if (skip.then != DWARF_SKIP_END) {
			skip.bytes = bytes;
			bytes = 0;
			if (add_skip(t, skip))
				return -ENOMEM;
		}
		if (!array_has_room(t->specs, t->nr_specs, t->room_specs))
			return -ENOMEM;
		t->specs[t->nr_specs++] = s;
		a->nr_specs++;
	}
}

static int by_code(const void *a, const void *b)
{
	const struct dwarf_abbrev *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	return x->specs < y->specs ? -1 : x->specs > y->specs;
}

const struct dwarf_abbrev *dwarf_abbrev_search(const struct dwarf_abbrevs *t,
					       uint64_t code)
{
	size_t lo = 0, hi = t->nr_abbrevs, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->abbrevs[mid].code < code)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->nr_abbrevs && t->abbrevs[lo].code == code ? &t->abbrevs[lo] : NULL;
}

static int read_abbrev(struct dwarf_abbrevs *t, struct cursor *c, uint64_t code)
{
	struct dwarf_abbrev a = { .code = code, .sibling = -1 };
	uint64_t tag = cursor_uleb(c);
	int err;

	a.children = cursor_u8(c);
	a.specs = (uint32_t)t->nr_specs;
	a.skips = (uint32_t)t->nr_skips;
	if (c->bad || tag > UINT16_MAX || t->nr_abbrevs >= DWARF_MAX_ABBREVS)
		return -EBADMSG;
	a.tag = (uint16_t)tag;
	err = read_specs(t, c, &a);
	if (err)
		return err;
	if (!array_has_room(t->abbrevs, t->nr_abbrevs, t->room_abbrevs))
		return -ENOMEM;
	t->abbrevs[t->nr_abbrevs++] = a;
	t->dense = t->dense && code == t->nr_abbrevs;
	return 0;
}

static int read_table(struct dwarf_abbrevs *t, struct diag *diag)
{
	struct cursor c = dwarf_object_at(t->o, DWARF_ABBREV, t->off);
	const uint8_t *start = c.p, *at = c.p;
	uint64_t code;
	int err = c.bad ? -EBADMSG : 0;

	t->nr_abbrevs = t->nr_specs = t->nr_skips = 0;
	t->dense = true;
	/*
	 * @specs must not be NULL: entries without attributes point into it,
	 * too
	 */
	if (!array_has_room(t->specs, t->nr_specs, t->room_specs))
		err = -ENOMEM;
	while (!err && cursor_left(&c)) {
		at = c.p;
		code = cursor_uleb(&c);
		if (c.bad)
			err = -EBADMSG;
		else if (!code)
			break;
		else
			err = read_abbrev(t, &c, code);
	}
	t->bytes = (uint64_t)(c.p - start);
	if (err == -EBADMSG)
		return dwarf_bad(t->o, DWARF_ABBREV, t->off + (uint64_t)(at - start), diag,
				 "damaged abbreviation, or one of an unknown form");
	if (err)
		return diag_errno(diag, -err, t->o->path);
	if (!t->dense)
		qsort(t->abbrevs, t->nr_abbrevs, sizeof(*t->abbrevs), by_code);
	return 0;
}

static bool same_sizes(struct dwarf_sizes a, struct dwarf_sizes b)
{
	return a.address == b.address && a.offset == b.offset && a.ref_addr == b.ref_addr;
}

int64_t dwarf_abbrevs_get(struct dwarf_abbrev_cache *cache, const struct dwarf_object *o,
			  uint64_t off, struct dwarf_sizes sizes,
			  struct dwarf_abbrevs **ret, struct diag *diag)
{
	struct dwarf_abbrevs *t, *oldest = NULL;
	int err;

	cache->clock++;
	for (t = cache->slot; t < cache->slot + DWARF_ABBREV_SLOTS; t++) {
		if (t->o == o && t->off == off && same_sizes(t->sizes, sizes)) {
			t->used = cache->clock;
			t->users++;
			*ret = t;
			return 0;
		}
		if (!t->users && (!oldest || t->used < oldest->used))
			oldest = t;
	}
	t = oldest;
	if (!t)
		return diag_errno(diag, ENOMEM, o->path);
	t->o = o;
	t->off = off;
	t->sizes = sizes;
	err = read_table(t, diag);
	if (err) {
		t->o = NULL;
		return err;
	}
	t->used = cache->clock;
	t->users = 1;
	*ret = t;
	return (int64_t)t->bytes;
}

void dwarf_abbrevs_put(struct dwarf_abbrevs *t)
{
	if (t)
		t->users--;
}

void dwarf_abbrev_cache_forget(struct dwarf_abbrev_cache *cache,
			       const struct dwarf_object *o)
{
	struct dwarf_abbrevs *t;

	for (t = cache->slot; t < cache->slot + DWARF_ABBREV_SLOTS; t++)
		if (t->o == o)
			t->o = NULL;
}

void dwarf_abbrev_cache_release(struct dwarf_abbrev_cache *cache)
{
	struct dwarf_abbrevs *t;

	for (t = cache->slot; t < cache->slot + DWARF_ABBREV_SLOTS; t++) {
		free(t->abbrevs);
		free(t->specs);
		free(t->skips);
	}
	*cache = (struct dwarf_abbrev_cache){ 0 };
}
