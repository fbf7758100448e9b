/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Line tables of Ruby's code. Some words of the code have an entry with a line. A bit
 * vector tells which: for the first 54 words it has the number of entries up to each of
 * them, 9 numbers in a word of memory. After that come blocks of 512 bits, each with the
 * number of entries before the block and before each 64 bits of it.
 */
#ifndef USTACK_USER_LANG_RUBY_LINES_H
#define USTACK_USER_LANG_RUBY_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lang.h"
#include "symbols/lang/memory.h"

/* Limit for the words of code of a function whose lines are read. */
#define RUBY_LINES_MAX_CODE (1u << 17)

/**
 * ruby_lines_read() - read the line table of a function
 * @m: the process's memory
 * @d: structures of its version
 * @p: words of the function
 * @ret: pairs of a code word and its line; the caller frees them; NULL if there are none
 * @ret_len: bytes of @ret
 *
 * Return: whether the table could be read and is valid.
 */
bool ruby_lines_read(const struct lang_memory *m, const struct lang_ruby *d,
		     const struct lang_ruby_print *p, uint8_t **ret, size_t *ret_len);

/* The line of a frame; @place is from its second word. Return: 0 if there is none. */
uint32_t ruby_lines_line(const uint8_t *table, size_t len, uint32_t place);

#endif /* USTACK_USER_LANG_RUBY_LINES_H */
