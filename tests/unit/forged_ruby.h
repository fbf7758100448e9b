/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects of Ruby in forged memory. */
#ifndef USTACK_UNIT_FORGED_RUBY_H
#define USTACK_UNIT_FORGED_RUBY_H

#include "forged_memory.h"

#include "lang.h"

/* Flags of objects: the type, and where the contents are. */
#define STRING 5
#define STRING_APART (5 | 1 << 13)
#define ARRAY 7
#define ARRAY_WITHIN (7 | 1 << 13)

/* Writes a string of up to 23 bytes: it is in its object, and its length in the flags of 3.1. */
static inline void put_ruby_string(struct forged *m, const struct lang_ruby *d, u64 addr,
				   const char *text)
{
	size_t len = strlen(text);

	put(m, addr, STRING | (d->old ? len << 14 : 0), 8);
	if (!d->old)
		put(m, addr + 16, len, 8);
	memcpy(m->bytes + (addr - BASE) + (d->old ? 16 : 24), text, len);
}

/*
 * Writes the symbol table at @table, with its arrays after it (0x100 bytes) and one pair of words
 * for each number below 1024 at @pairs.
 */
static inline void put_ruby_symbols(struct forged *m, u64 table, u64 pairs)
{
	u64 arrays = table + 0x40, unit = table + 0x80;

	put(m, table + 16, arrays, 8);
	put(m, arrays, ARRAY_WITHIN | 2 << 15, 8);
	put(m, arrays + 16, unit, 8);
	put(m, arrays + 24, unit + 0x40, 8);
	put(m, unit, ARRAY, 8);
	put(m, unit + 16, 1024, 8);
	put(m, unit + 32, pairs, 8);
	memcpy(m->bytes + (unit + 0x40 - BASE), m->bytes + (unit - BASE), 40);
}

/* Gives the symbol with the number @id the name that is at @name; @pairs as in put_ruby_symbols() */
static inline void put_ruby_symbol(struct forged *m, u64 pairs, u64 id, u64 name)
{
	u64 place = (id > 0xa9 ? id >> 4 : id) % 512;

	put(m, pairs + 16 * place, name, 8);
	put(m, pairs + 16 * place + 8, id << 8 | 12, 8);
}

#endif /* USTACK_UNIT_FORGED_RUBY_H */
