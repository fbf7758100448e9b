// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives addresses to the sections of a relocatable ELF file (place.h).
 */
#include "formats/dwarf/place.h"

#include <elf.h>

#include "util/poison.h"

static bool place(struct dwarf_place *s, uint64_t *at)
{
	uint64_t align = s->align && !(s->align & (s->align - 1)) ? s->align : 1;

	if (__builtin_add_overflow(*at, align - 1, at))
		return false;
	s->addr = *at & ~(align - 1);
	return !__builtin_add_overflow(s->addr, s->size, at);
}

bool dwarf_place(struct dwarf_place *s, size_t nr)
{
	uint64_t at = 0;
	bool fits = true;
	size_t i;
	int pass;

	for (i = 0; i < nr; i++) {
		s[i].has_code = s[i].flags & SHF_ALLOC && s[i].flags & SHF_EXECINSTR && s[i].size;
		s[i].addr = 0;
	}
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < nr && fits; i++)
			if (s[i].has_code && s[i].is_dot_text == !pass)
				fits = place(&s[i], &at);
	return fits;
}
