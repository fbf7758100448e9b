/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function of Ruby is called and where it is, out of a process's memory. */
#ifndef USTACK_USER_LANG_RUBY_FUNCTION_H
#define USTACK_USER_LANG_RUBY_FUNCTION_H

#include "lang.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/ruby_text.h"

/**
 * struct ruby_function - a function
 * @name: as caller_locations() calls it: UTF-8 without control characters
 * @file: of its source; "" of a function that is written in C
 * @first_line: of its definition; 0 of a function that is written in C
 * @table: lines, for ruby_lines_line(), or NULL
 * @table_len: bytes of @table
 */
struct ruby_function {
	char name[RUBY_TEXT_BYTES];
	char file[RUBY_TEXT_BYTES];
	uint32_t first_line;
	uint8_t *table;
	size_t table_len;
};

enum ruby_function_state {
	RUBY_FUNCTION_READ,
	RUBY_FUNCTION_STALE,	/* another one is there, or none */
	RUBY_FUNCTION_UNREADABLE,	/* there is no memory */
};

/**
 * ruby_function_read() - read the code that was sampled
 * @m: the process
 * @d: of its version
 * @addr: of the code's body
 * @cookie: that the sample has
 * @ret: filled on RUBY_FUNCTION_READ; @ret->table is freed by the caller
 *
 * The body is compared with @cookie before and after, as the process runs meanwhile.
 *
 * Return: enum ruby_function_state.
 */
enum ruby_function_state ruby_function_read(const struct lang_memory *m, const struct lang_ruby *d,
					    uint64_t addr, uint32_t cookie, struct ruby_function *ret);

/* The same of a function in C, at whose definition @addr is. There is no table. */
enum ruby_function_state ruby_function_in_c(const struct lang_memory *m, const struct lang_ruby *d,
					    uint64_t addr, uint32_t cookie, struct ruby_function *ret);

/* The fingerprint as bpf/lang_ruby.bpf.h makes it. Return: RUBY_FUNCTION_READ if @ret has it. */
enum ruby_function_state ruby_function_print(const struct lang_memory *m, const struct lang_ruby *d,
					     uint64_t addr, struct lang_ruby_print *ret);

#endif /* USTACK_USER_LANG_RUBY_FUNCTION_H */
