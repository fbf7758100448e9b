// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies relocations of Mach-O files, as far as assemblers use them for DWARF.
 * References to sections and scattered relocations need nothing: a section has
 * its final address in the file, and differences are computed already. Only the
 * value of a symbol is missing: it is added, or subtracted for the first
 * relocation of a SUBTRACTOR pair.
 */
#include <errno.h>

#include "formats/dwarf/load.h"
#include "util/poison.h"

/* Values of X86_64_RELOC_*, ARM64_RELOC_*, GENERIC_RELOC_* and ARM_RELOC_*. */
#define VANILLA 0u	/* *_UNSIGNED */
#define X86_64_SUBTRACTOR 5u
#define ARM64_SUBTRACTOR 1u
#define PAIR 1u
#define SECTDIFF 2u
#define LOCAL_SECTDIFF 3u	/* in ARM's numbers */
#define X86_LOCAL_SECTDIFF 4u

enum how {
	UNKNOWN,
	NOTHING,
	ADD,
	SUBTRACT,
};

static enum how how_of(const struct macho *m, const struct macho_reloc *r)
{
	uint32_t subtractor = m->cputype == MACHO_X86_64 ? X86_64_SUBTRACTOR : ARM64_SUBTRACTOR;

	if (r->pc_relative)
		return UNKNOWN;
	if (r->type == VANILLA)
		return r->external ? ADD : NOTHING;
	switch (m->cputype) {
	case MACHO_X86_64:
	case MACHO_ARM64:
	case MACHO_ARM64_32:
		if (r->type == subtractor)
			return r->external ? SUBTRACT : NOTHING;
		return UNKNOWN;
	case MACHO_X86:
		if (r->scattered && r->type == X86_LOCAL_SECTDIFF)
			return NOTHING;
		break;
	case MACHO_ARM:
		if (r->scattered && r->type == LOCAL_SECTDIFF)
			return NOTHING;
		break;
	default:
		return UNKNOWN;
	}
	return r->scattered && (r->type == SECTDIFF || r->type == PAIR) ? NOTHING : UNKNOWN;
}

static bool apply(const struct dwarf_object *o, const struct macho_symtab *tab,
		  const struct macho_reloc *r, enum how how, struct dwarf_section *s)
{
	unsigned int n = 1u << r->length;
	struct macho_symbol symbol;
	struct cursor c;
	uint8_t *at;
	uint64_t v;

	if (r->symbol >= tab->nr || r->off > s->size || n > s->size - r->off)
		return false;
	macho_symbol_get(tab, r->symbol, &symbol);
	/* the value of a common symbol is its size */
	if ((symbol.type & MACHO_TYPE) == MACHO_UNDEFINED)
		symbol.value = 0;
	at = (uint8_t *)s->own + r->off;
	c = (struct cursor){ at, at + n, o->swap, false };
	v = dwarf_uint(&c, n);
	dwarf_store(o, at, n, how == ADD ? v + symbol.value : v - symbol.value);
	return true;
}

int dwarf_relocate_macho(const struct dwarf_object *o, const struct macho *m,
			 const struct macho_section *h, struct dwarf_section *s,
			 struct diag *diag)
{
	struct macho_symtab tab;
	struct macho_reloc r;
	enum how how;
	uint32_t i;
	int err;

	if (!macho_has_relocs(m, h))
		return diag_set(diag, EBADMSG, o->path, "relocations of %s are after the end of the file",
				s->name);
	err = macho_symtab_open(m, &tab, diag);
	if (err)
		return err;
	for (i = 0; i < h->nr_relocs; i++) {
		macho_reloc_get(m, h, i, &r);
		how = how_of(m, &r);
		if (how == UNKNOWN)
			return diag_set(diag, EBADMSG, o->path,
					"unknown type %u of a relocation for %s", r.type,
					s->name);
		if (how == NOTHING)
			continue;
		if (dwarf_copy_section(s))
			return diag_errno(diag, ENOMEM, o->path);
		if (!apply(o, &tab, &r, how, s))
			return diag_set(diag, EBADMSG, o->path,
					"a relocation of %s refers to nothing in the file",
					s->name);
	}
	return 0;
}
