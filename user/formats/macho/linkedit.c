// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads what load commands and sections point to: symbols, starts of functions,
 * relocations.
 */
#include <errno.h>
#include <string.h>

#include "formats/macho/macho.h"
#include "util/leb.h"

#include "util/poison.h"

/* Bytes of struct nlist, nlist_64 and relocation_info. */
#define NLIST_32 12u
#define NLIST_64 16u
#define RELOC 8u

#define R_SCATTERED 0x80000000u

int macho_symtab_open(const struct macho *m, struct macho_symtab *ret, struct diag *diag)
{
	const uint8_t *nul;

	*ret = (struct macho_symtab){ .m = m };
	if (!m->symtab)
		return 0;
	ret->off = macho_u32(m, m->symtab + 8);
	ret->strings = macho_u32(m, m->symtab + 16);
	ret->strings_len = macho_u32(m, m->symtab + 20);
	if (!macho_has(m, ret->off,
		       (uint64_t)macho_u32(m, m->symtab + 12) * (m->wide ? NLIST_64 : NLIST_32)))
		return macho_bad(m, m->symtab, diag, "symbols are after the end of the file");
	if (!macho_has(m, ret->strings, ret->strings_len))
		return macho_bad(m, m->symtab, diag,
				 "names of symbols are after the end of the file");
	ret->nr = macho_u32(m, m->symtab + 12);
	/* cut the strings after their last NUL, so that every name in them has an end */
	nul = memrchr(m->bytes + ret->strings, 0, ret->strings_len);
	ret->strings_len = nul ? (uint32_t)(nul + 1 - (m->bytes + ret->strings)) : 0;
	return 0;
}

void macho_symbol_get(const struct macho_symtab *tab, uint32_t i, struct macho_symbol *ret)
{
	const struct macho *m = tab->m;
	uint64_t at = tab->off + (uint64_t)i * (m->wide ? NLIST_64 : NLIST_32);
	uint32_t name = macho_u32(m, at);

	ret->name = name < tab->strings_len ?
			    (const char *)m->bytes + tab->strings + name : NULL;
	ret->type = m->bytes[at + 4];
	ret->section = m->bytes[at + 5];
	ret->desc = macho_u16(m, at + 6);
	ret->value = m->wide ? macho_u64(m, at + 8) : macho_u32(m, at + 8);
}

int macho_starts_open(const struct macho *m, struct macho_starts *ret, struct diag *diag)
{
	uint32_t off, len;

	*ret = (struct macho_starts){ .p = m->bytes, .end = m->bytes, .addr = m->base };
	if (!m->function_starts)
		return 0;
	off = macho_u32(m, m->function_starts + 8);
	len = macho_u32(m, m->function_starts + 12);
	if (!macho_has(m, off, len))
		return macho_bad(m, m->function_starts, diag,
				 "starts of functions are after the end of the file");
	ret->p = m->bytes + off;
	ret->end = ret->p + len;
	return 0;
}

bool macho_starts_next(struct macho_starts *s, uint64_t *ret)
{
	uint64_t delta;
	size_t n = uleb_read(s->p, s->end, &delta);

	/* zeros pad the list to a multiple of 8 */
	if (!n || !delta || __builtin_add_overflow(s->addr, delta, &s->addr)) {
		s->p = s->end;
		return false;
	}
	s->p += n;
	*ret = s->addr;
	return true;
}

bool macho_has_relocs(const struct macho *m, const struct macho_section *s)
{
	return macho_has(m, s->reloc_off, (uint64_t)s->nr_relocs * RELOC);
}

/* struct scattered_relocation_info: bits from the top, in either byte order */
static void get_scattered(uint32_t word, struct macho_reloc *r)
{
	r->scattered = true;
	r->pc_relative = word >> 30 & 1;
	r->length = word >> 28 & 3;
	r->type = word >> 24 & 15;
	r->off = word & 0xffffff;
}

/* struct relocation_info: bit fields, which compilers lay out by the byte order */
static void get_plain(uint32_t off, uint32_t word, bool big, struct macho_reloc *r)
{
	r->off = off;
	if (big) {
		r->symbol = word >> 8;
		r->pc_relative = word >> 7 & 1;
		r->length = word >> 5 & 3;
		r->external = word >> 4 & 1;
		r->type = word & 15;
	} else {
		r->symbol = word & 0xffffff;
		r->pc_relative = word >> 24 & 1;
		r->length = word >> 25 & 3;
		r->external = word >> 27 & 1;
		r->type = word >> 28;
	}
}

void macho_reloc_get(const struct macho *m, const struct macho_section *s, uint32_t i,
		     struct macho_reloc *ret)
{
	uint64_t at = s->reloc_off + (uint64_t)i * RELOC;
	uint32_t off = macho_u32(m, at), word = macho_u32(m, at + 4);
	bool big = m->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	*ret = (struct macho_reloc){ 0 };
	/*
	 * 64-bit processors have no scattered relocations: there the bit is
	 * part of the offset
	 */
	if (off & R_SCATTERED && !m->wide)
		get_scattered(off, ret);
	else
		get_plain(off, word, big, ret);
}
