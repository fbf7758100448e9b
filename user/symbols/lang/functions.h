/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/lang: the table of functions that were read. Not locked. */
#ifndef USTACK_USER_LANG_FUNCTIONS_H
#define USTACK_USER_LANG_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/intern.h"
#include "util/strings.h"

/* In struct lang_function: the call at this place is that of code of no function. */
#define BEAM_CALLS_FRAGMENT (1ull << 32)

/**
 * struct lang_function - a function that was read
 * @process: number of its process, never used again
 * @pointer: address of its object in the process
 * @cookie: fingerprint of its object
 * @name: number of its name in @strings
 * @file: number of its file's path in @strings, 0 if not known
 * @first_line: line of its definition, 0 if not known
 * @line: for the BEAM, line of the call at @pointer; 0 if not known
 * @place: what else distinguishes it from others; 0 except in Perl and the BEAM
 * @root: for Perl, address of the root of its operations; for the BEAM, where the return
 *        address is, see beam_size(), with BEAM_CALLS_FRAGMENT; 0 if not known
 * @table: location table, owned; NULL if not known
 * @table_len: bytes of @table
 */
struct lang_function {
	uint64_t process;
	uint64_t pointer;
	uint32_t cookie;
	uint32_t name;
	uint32_t file;
	uint32_t first_line;
	uint32_t line;
	uint64_t place;
	uint64_t root;
	uint8_t *table;
	size_t table_len;
};

/**
 * struct lang_functions - all functions that were read
 * @function: the functions; number 0 is not used
 * @nr: number of @function, with number 0
 * @room: allocated entries of @function
 * @bytes: bytes of all tables
 * @index: index of @function
 * @strings: names and paths
 */
struct lang_functions {
	struct lang_function *function;
	uint32_t nr;
	uint32_t room;
	size_t bytes;
	struct intern index;
	struct strings strings;
};

/* Return: 0 or -ENOMEM; released in any case. */
int lang_functions_init(struct lang_functions *f);
void lang_functions_release(struct lang_functions *f);

/* Removes all functions. Return: 0 or -ENOMEM. */
int lang_functions_clear(struct lang_functions *f);

/* Whether the table has reached its limits. */
bool lang_functions_full(const struct lang_functions *f);

/* Return: number of the function, 0 if it is not in the table. */
uint32_t lang_functions_find(const struct lang_functions *f, uint64_t process, uint64_t pointer,
			     uint32_t cookie, uint64_t place);

/**
 * lang_functions_add() - add a function that is not in the table
 * @f: the table
 * @new: the function, without strings; its table is taken over, also on failure
 * @name: name of the function
 * @file: path of its file, or ""
 *
 * Return: number of the function; 0 if out of memory.
 */
uint32_t lang_functions_add(struct lang_functions *f, const struct lang_function *new,
			    const char *name, const char *file);

/**
 * lang_functions_rename() - change what is known of a function
 * @f: the table
 * @n: number of the function
 * @name: name of the function
 * @file: path of its file, or ""
 * @first_line: line of its definition
 * @root: address of the root of its operations, for Perl
 *
 * Return: 0, or -ENOMEM and the function is unchanged.
 */
int lang_functions_rename(struct lang_functions *f, uint32_t n, const char *name, const char *file,
			  uint32_t first_line, uint64_t root);

#endif /* USTACK_USER_LANG_FUNCTIONS_H */
