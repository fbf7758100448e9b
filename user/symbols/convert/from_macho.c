// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the functions of a Mach-O file for a GSYM file: sections with code, function
 * starts and the symbol table. The file is mapped; formats/macho checks its bounds.
 */
#include "symbols/convert/from_macho.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/macho/macho.h"
#include "util/array.h"
#include "util/map.h"

#include "util/poison.h"

/* Bytes of a name; a longer name is ignored. */
#define MAX_NAME 65536u
/*
 * Names may share their ends in the string table. All names together may have FREE_NAMES
 * bytes and this many times the size of the table. Linkers stay below 2; more is an
 * attempt to make a large file from a small one.
 */
#define MAX_SHARED 16u
#define FREE_NAMES (1u << 20)
/* Section numbers in symbols have eight bits. */
#define MAX_SECTIONS 256u

struct source {
	struct macho m;
	const char *path;
	struct gsym_part *part;
	bool text[MAX_SECTIONS];	/* whether section i has instructions */
	struct diag *diag;
};

/* Sorts the sections. Adjacent ones are not joined: a symbol ends with its section. */
static void sort_text(struct gsym_symtab *ret)
{
	struct range *text = ret->text;
	size_t i, n = 0;

	if (!ret->nr_text)
		return;
	qsort(text, ret->nr_text, sizeof(*text), range_compare);
	for (i = 1; i < ret->nr_text; i++) {
		if (text[i].start >= text[n].end)
			text[++n] = text[i];
		else if (text[i].end > text[n].end)
			text[n].end = text[i].end;
	}
	ret->nr_text = n + 1;
}

static int take_text(struct source *s, struct gsym_symtab *ret)
{
	struct macho_section h = { 0 };
	size_t room = 0;
	uint64_t end;

	while (macho_next_section(&s->m, &h)) {
		if (!macho_is_text(&h) || __builtin_add_overflow(h.addr, h.size, &end))
			continue;
		if (h.number < MAX_SECTIONS)
			s->text[h.number] = true;
		if (!array_has_room(ret->text, ret->nr_text, room))
			return diag_errno(s->diag, ENOMEM, s->path);
		ret->text[ret->nr_text++] = (struct range){ h.addr, end };
	}
	sort_text(ret);
	return 0;
}

/*
 * The order of a symbol: the one with the highest order is kept of those at one address.
 * External symbols come first, then names that no assembler or linker made up (as ltmp0).
 */
static uint64_t order_of(const struct macho_symbol *sym, uint32_t i)
{
	bool made_up = *sym->name == 'l' || *sym->name == 'L';

	return i | (uint64_t)!made_up << 32 | (uint64_t)(sym->type & MACHO_EXTERNAL) << 33;
}

/* @room: bytes that names may still have. Return: 1 if it was added. */
static int add_symbol(const struct source *s, const struct macho_symbol *sym, uint32_t i,
		      uint64_t *room)
{
	struct gsym_new_function f = {
		.range = { sym->value, sym->value }, .order = order_of(sym, i),
	};
	const char *name = sym->name;
	size_t len;
	int err;

	name += *name == '_';
	len = strnlen(name, MAX_NAME);
	if (!len || len == MAX_NAME)
		return 0;
	if (len > *room)
		return diag_set(s->diag, EBADMSG, s->path,
				"too many names of symbols share the same bytes");
	*room -= len;
	err = gsym_part_string(s->part, name, len, &f.name);
	if (!err)
		err = gsym_part_add(s->part, &f);
	return err ? diag_errno(s->diag, -err, s->path) : 1;
}

static int add_symbols(const struct source *s, struct gsym_symtab *ret)
{
	struct macho_symtab tab;
	struct macho_symbol sym;
	uint64_t room;
	uint32_t i;
	int err;

	err = macho_symtab_open(&s->m, &tab, s->diag);
	if (err)
		return err;
	room = FREE_NAMES + (uint64_t)tab.strings_len * MAX_SHARED;
	for (i = 0; i < tab.nr; i++) {
		macho_symbol_get(&tab, i, &sym);
		if (sym.type & MACHO_STAB || (sym.type & MACHO_TYPE) != MACHO_IN_SECTION ||
		    !s->text[sym.section])
			continue;
		if (!sym.name)
			return diag_set(s->diag, EBADMSG, s->path,
					"the name of symbol %u is not in the table", i);
		err = add_symbol(s, &sym, i, &room);
		if (err < 0)
			return err;
		ret->symbols += (unsigned int)err;
	}
	return 0;
}

static int take_starts(const struct source *s, struct gsym_symtab *ret)
{
	struct macho_starts starts;
	size_t room = 0;
	uint64_t addr;
	int err;

	err = macho_starts_open(&s->m, &starts, s->diag);
	if (err)
		return err;
	while (macho_starts_next(&starts, &addr)) {
		/* bit 0 means Thumb code */
		if (s->m.cputype == MACHO_ARM)
			addr &= ~1ull;
		if (!array_has_room(ret->starts, ret->nr_starts, room))
			return diag_errno(s->diag, ENOMEM, s->path);
		ret->starts[ret->nr_starts++] = addr;
	}
	return 0;
}

static int read_macho(struct source *s, struct gsym_symtab *ret)
{
	int err;

	ret->base = s->m.base;
	ret->big_endian = s->m.swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	if (s->m.uuid) {
		ret->uuid_len = MACHO_UUID;
		memcpy(ret->uuid, s->m.uuid, MACHO_UUID);
	}
	err = take_text(s, ret);
	if (!err)
		err = take_starts(s, ret);
	return err ? err : add_symbols(s, ret);
}

int gsym_from_macho(const char *path, uint64_t off, uint64_t len, struct gsym_part *part,
		    struct gsym_symtab *ret, struct diag *diag)
{
	struct map map __attribute__((__cleanup__(map_release))) = { 0 };
	struct source s = { .path = path, .part = part, .diag = diag };
	int err;

	*ret = (struct gsym_symtab){ 0 };
	err = map_open(&map, path, diag);
	if (err)
		return err;
	len = len ? len : map.len;
	if (off > map.len || len > map.len - off)
		return diag_set(diag, EBADMSG, path, "it ends before the selected slice");
	err = macho_open(map.bytes + off, len, off, path, &s.m, diag);
	if (!err)
		err = read_macho(&s, ret);
	if (err)
		gsym_symtab_release(ret);
	return err;
}
