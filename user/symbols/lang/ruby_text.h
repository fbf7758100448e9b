/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads strings of Ruby, and names of its symbols, from a process's memory. */
#ifndef USTACK_USER_LANG_RUBY_TEXT_H
#define USTACK_USER_LANG_RUBY_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "lang.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/text.h"

/* Bytes that are read of a string; a longer one is cut. */
#define RUBY_TEXT 1024u
#define RUBY_TEXT_BYTES LANG_TEXT_ROOM(RUBY_TEXT)

/* Reads the string object at @at. Return: whether it is one. */
bool ruby_string(const struct lang_memory *m, uint64_t at, __u64 ret[RUBY_STRING_WORDS]);

/*
 * Reads length, first and last bytes of the string at @at for a fingerprint. @ret: zeros.
 * Return: whether it could be read.
 */
bool ruby_ends(const struct lang_memory *m, const struct lang_ruby *d, uint64_t at,
	       struct lang_ends *ret);

/*
 * Writes the string at @at as UTF-8 without control characters. Return: whether it could
 * be read.
 */
bool ruby_text(const struct lang_memory *m, const struct lang_ruby *d, uint64_t at,
	       char ret[RUBY_TEXT_BYTES]);

/**
 * ruby_symbol() - write the name of a symbol
 * @m: the process's memory
 * @d: structures of its version, with the address of the table
 * @id: Ruby's number of the symbol, never used again
 * @ret: the name, as ruby_text() writes it
 *
 * Return: whether there is such a symbol.
 */
bool ruby_symbol(const struct lang_memory *m, const struct lang_ruby *d, uint64_t id,
		 char ret[RUBY_TEXT_BYTES]);

#endif /* USTACK_USER_LANG_RUBY_TEXT_H */
