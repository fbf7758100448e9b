// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of a call tree: their names, kinds and order, and which frames share
 * one. See calltree_index.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/calltree_index.h"
#include "util/array.h"
#include "util/text.h"

#include "util/poison.h"

/* Size of a "file+0x12ab"; a longer file name is cut. */
#define NAME_BYTES 512

static int keep(struct calltree *t, const char **text)
{
	uint32_t n;
	int err;

	err = strings_add(&t->index->strings, *text, strlen(*text), &n);
	if (!err)
		*text = t->index->strings.entries[n].s;
	return err;
}

static bool same(const struct calltree_symbol *a, const struct calltree_symbol *b)
{
	return a->name == b->name && a->file == b->file && a->image == b->image &&
	       a->address == b->address && a->line == b->line && a->kind == b->kind;
}

int calltree_symbol_add(struct calltree *t, const struct calltree_symbol *s, uint32_t *ret)
{
	struct intern *index = &t->index->symbols;
	struct calltree_symbol new = *s;
	struct intern_probe at;
	uint64_t hash, key[5];
	int err;

	err = keep(t, &new.name);
	if (!err)
		err = keep(t, &new.file);
	if (!err)
		err = keep(t, &new.image);
	if (err)
		return err;
	key[0] = (uintptr_t)new.name;
	key[1] = (uintptr_t)new.file;
	key[2] = (uintptr_t)new.image;
	key[3] = new.address;
	key[4] = (uint64_t)new.line << 8 | new.kind;
	hash = intern_words(index, key, 5);
	for (at = intern_probe(index, hash); (*ret = intern_next(index, &at));)
		if (same(&t->symbols[--*ret], &new))
			return 0;
	if (t->nr_symbols == UINT32_MAX)
		return -E2BIG;
	if (!array_has_room(t->symbols, t->nr_symbols, t->index->symbols_room) ||
	    !intern_room(index))
		return -ENOMEM;
	*ret = t->nr_symbols;
	t->symbols[t->nr_symbols++] = new;
	intern_put(index, hash, t->nr_symbols);
	return 0;
}

/*
 * Programs use the lower half of all addresses, except for what the kernel maps
 * for them.
 */
uint8_t calltree_kind_of(const char *file, uint64_t address)
{
	if (!strncmp(file, "[kernel", 7))
		return CALLTREE_KERNEL;
	if (!strncmp(file, "[jit:", 5))
		return CALLTREE_JIT;
	if (address >> 63 && strcmp(file, "[vsyscall]"))
		return CALLTREE_KERNEL;
	return CALLTREE_USER;
}

/* Return: the name of a function, or NULL. */
static const char *function_name(const struct profile *p, const struct profile_function *f)
{
	const char *name = profile_text(p, f->name ? f->name : f->system_name);

	return *name ? name : NULL;
}

int calltree_symbol_at(struct calltree *t, const struct calltree_options *o,
		       const struct profile *p, uint32_t location, uint32_t line, uint32_t *ret)
{
	const struct profile_location *l = &p->locations[location];
	const char *path = profile_text(p, p->mappings[l->mapping].file);
	struct calltree_symbol s = { .name = NULL, .file = "", .image = text_base_name(path) };
	const struct profile_function *f;
	char name[NAME_BYTES];

	s.kind = calltree_kind_of(path, l->address);
	if (line < l->nr_lines) {
		f = &p->functions[p->lines[l->first_line + line].function];
		s.name = function_name(p, f);
		s.file = profile_text(p, f->file);
		s.line = o->lines ? p->lines[l->first_line + line].line : 0;
		if (line + 1 < l->nr_lines)
			s.kind = CALLTREE_INLINED;
	}
	if (s.name) {
		s.address = o->by_address ? l->address : 0;
		return calltree_symbol_add(t, &s, ret);
	}
	if (s.kind == CALLTREE_USER && (!*s.image || !strcmp(path, "[anon]")))
		s.kind = CALLTREE_UNKNOWN;
	snprintf(name, sizeof(name), "%.400s%s0x%" PRIx64, s.image, *s.image ? "+" : "",
		 l->address);
	s.name = name;
	s.address = l->address;
	return calltree_symbol_add(t, &s, ret);
}

int calltree_symbol_order(const struct calltree_symbol *a, const struct calltree_symbol *b)
{
	int order = strcmp(a->name, b->name);

	if (!order)
		order = strcmp(a->image, b->image);
	if (!order)
		order = strcmp(a->file, b->file);
	if (order)
		return order < 0 ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}
