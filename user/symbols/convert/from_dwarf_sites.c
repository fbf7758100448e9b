// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes call sites: return addresses of calls, and the name of the called function if
 * DWARF has it (DW_TAG_call_site, or GNU's entry in version 4). Takes more than LLVM's
 * --dwarf-callsites: also sites in blocks and inlined calls, and calls that end a
 * function.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/convert/from_dwarf_unit.h"
#include "formats/dwarf/constants.h"
#include "util/array.h"
#include "util/poison.h"

bool from_dwarf_is_site(uint16_t tag)
{
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

struct attrs {
	bool has_pc, has_origin, is_tail;
	uint64_t pc;
	struct dwarf_ref origin;
};

/* GNU's entry has the address in DW_AT_low_pc, which also occurs elsewhere. */
static void take(const struct dwarf_unit *u, bool gnu, uint16_t name,
		 const struct dwarf_value *v, struct attrs *ret)
{
	switch (name) {
	case DW_AT_call_return_pc:
		ret->has_pc = dwarf_value_address(u, v, &ret->pc);
		break;
	case DW_AT_low_pc:
		if (gnu)
			ret->has_pc = dwarf_value_address(u, v, &ret->pc);
		break;
	case DW_AT_call_origin:
		ret->has_origin = dwarf_value_ref(u, v, &ret->origin);
		break;
	case DW_AT_abstract_origin:
		if (gnu)
			ret->has_origin = dwarf_value_ref(u, v, &ret->origin);
		break;
	case DW_AT_call_tail_call:
	case DW_AT_GNU_tail_call:
		ret->is_tail = v->u;
		break;
	}
}

int from_dwarf_site(struct from_dwarf *t, struct cursor c,
		    const struct dwarf_abbrev *a, struct diag *diag)
{
	const struct dwarf_spec *s = t->u->abbrevs->specs + a->specs;
	const struct dwarf_spec *end = s + a->nr_specs;
	struct from_dwarf_site site = { 0 };
	struct attrs attrs = { 0 };
	struct dwarf_value v;
	int err;

	for (; s < end; s++) {
		dwarf_value_read(&c, s, t->u->sizes, &v);
		take(t->u, a->tag == DW_TAG_GNU_call_site, s->name, &v, &attrs);
	}
	if (c.bad)	/* the caller reads the same attributes and reports the damage */
		return 0;
	/* a tail call does not return here */
	if (!attrs.has_pc || attrs.is_tail) {
		t->stats.no_return++;
		return 0;
	}
	site.pc = attrs.pc;
	if (attrs.has_origin) {
		err = from_dwarf_name(t, attrs.origin, true, &site.match, diag);
		if (err)
			return err;
	}
	if (!array_has_room(t->sites, t->nr_sites, t->room_sites))
		return diag_errno(diag, ENOMEM, t->main->path);
	t->sites[t->nr_sites++] = site;
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct gsym_new_site *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	/* both point into @t->sites, so pointers compare like indexes */
	return (x->match > y->match) - (x->match < y->match);
}

static bool same_site(const struct gsym_new_site *a, const struct gsym_new_site *b)
{
	return a->offset == b->offset && a->nr_match == b->nr_match &&
	       (!a->nr_match || *a->match == *b->match);
}

int from_dwarf_sites(struct from_dwarf *t, size_t first, struct range range)
{
	size_t i, n = 0;

	t->nr_new_sites = 0;
	for (i = first; i < t->nr_sites; i++) {
		const struct from_dwarf_site *s = &t->sites[i];

		/* a call that ends the function returns to the address after it */
		if (s->pc <= range.start || s->pc > range.end)
			continue;
		if (!array_has_room(t->new_sites, t->nr_new_sites, t->room_new_sites))
			return -ENOMEM;
		t->new_sites[t->nr_new_sites++] = (struct gsym_new_site){
			.offset = s->pc - range.start, .match = &s->match,
			.nr_match = s->match != 0,
		};
	}
	if (!t->nr_new_sites)
		return 0;
	qsort(t->new_sites, t->nr_new_sites, sizeof(*t->new_sites), by_offset);
	for (i = 1; i < t->nr_new_sites; i++)
		if (!same_site(&t->new_sites[n], &t->new_sites[i]))
			t->new_sites[++n] = t->new_sites[i];
	t->nr_new_sites = n + 1;
	return 0;
}
