/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the names and places of Ruby's functions from a process's memory. */
#ifndef USTACK_USER_LANG_RUBY_FUNCTION_H
#define USTACK_USER_LANG_RUBY_FUNCTION_H

#include "lang.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/ruby_text.h"

/**
 * struct ruby_function - a function
 * @name: name as caller_locations() returns it: UTF-8 without control characters
 * @file: path of its source file; "" for a C function
 * @first_line: line of its definition; 0 for a C function
 * @table: line table for ruby_lines_line(), or NULL
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
	RUBY_FUNCTION_STALE,	/* another function is at the address, or none */
	RUBY_FUNCTION_UNREADABLE,	/* the memory is missing */
};

/**
 * ruby_function_read() - read the code that was sampled
 * @m: the process's memory
 * @d: structures of its version
 * @addr: address of the code's body
 * @cookie: fingerprint of the code in the sample
 * @ret: set on RUBY_FUNCTION_READ; the caller frees @ret->table
 *
 * The body is compared with @cookie before and after reading, as the process runs
 * meanwhile.
 *
 * Return: enum ruby_function_state.
 */
enum ruby_function_state ruby_function_read(const struct lang_memory *m, const struct lang_ruby *d,
					    uint64_t addr, uint32_t cookie, struct ruby_function *ret);

/* The same for a C function, with its definition at @addr. It has no line table. */
enum ruby_function_state ruby_function_in_c(const struct lang_memory *m, const struct lang_ruby *d,
					    uint64_t addr, uint32_t cookie, struct ruby_function *ret);

/*
 * Computes the fingerprint as bpf/lang_ruby.bpf.h does. Return: RUBY_FUNCTION_READ if
 * @ret has it.
 */
enum ruby_function_state ruby_function_print(const struct lang_memory *m, const struct lang_ruby *d,
					     uint64_t addr, struct lang_ruby_print *ret);

#endif /* USTACK_USER_LANG_RUBY_FUNCTION_H */
