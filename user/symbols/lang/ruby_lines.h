/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of Ruby's code. Ruby has an entry with a line for some words of the code, and which words
 * these are in a bit vector: for the first 54 the number of entries up to each, 9 of them in a word
 * of memory; then blocks of 512 bits with the numbers up to each block and each 64 bits of it.
 */
#ifndef USTACK_USER_LANG_RUBY_LINES_H
#define USTACK_USER_LANG_RUBY_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lang.h"
#include "symbols/lang/memory.h"

/* Words of code of a function whose lines are read. */
#define RUBY_LINES_MAX_CODE (1u << 17)

/**
 * ruby_lines_read() - read the lines of code
 * @m: the process
 * @d: of its version
 * @p: of the code
 * @ret: pairs of a word of the code and its line, freed by the caller; NULL if there are none
 * @ret_len: bytes of @ret
 *
 * Return: whether they could be read; false for those that make no sense, too.
 */
bool ruby_lines_read(const struct lang_memory *m, const struct lang_ruby *d,
		     const struct lang_ruby_print *p, uint8_t **ret, size_t *ret_len);

/* The line of a frame: @place is its second word's. Return: 0 if there is none. */
uint32_t ruby_lines_line(const uint8_t *table, size_t len, uint32_t place);

#endif /* USTACK_USER_LANG_RUBY_LINES_H */
