/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/lang: functions that were read, by process and by words. Not locked. */
#ifndef USTACK_USER_LANG_FUNCTIONS_H
#define USTACK_USER_LANG_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/intern.h"
#include "util/strings.h"

/**
 * struct lang_function - one of them
 * @process: number of its process, never used again
 * @pointer: of its object
 * @cookie: of its object
 * @name: string
 * @file: string, 0 if it is not known
 * @first_line: 0 if it is not known
 * @place: what else tells it from others; 0 of all but places of Perl
 * @root: root of its operations, of Perl; 0 if it is not known
 * @table: location table, own; NULL if it is not known
 * @table_len: of @table
 */
struct lang_function {
	uint64_t process;
	uint64_t pointer;
	uint32_t cookie;
	uint32_t name;
	uint32_t file;
	uint32_t first_line;
	uint64_t place;
	uint64_t root;
	uint8_t *table;
	size_t table_len;
};

/**
 * struct lang_functions - all of them
 * @function: number 0 is none
 * @bytes: of tables
 */
struct lang_functions {
	struct lang_function *function;
	uint32_t nr;
	uint32_t room;
	size_t bytes;
	struct intern index;
	struct strings strings;
};

/* Return: 0 or -ENOMEM; to be released in any case. */
int lang_functions_init(struct lang_functions *f);
void lang_functions_release(struct lang_functions *f);

/* Forgets all. Return: 0 or -ENOMEM. */
int lang_functions_clear(struct lang_functions *f);

/* Whether they take more memory than they may. */
bool lang_functions_full(const struct lang_functions *f);

/* Return: number, 0 if it is not there. */
uint32_t lang_functions_find(const struct lang_functions *f, uint64_t process, uint64_t pointer,
			     uint32_t cookie, uint64_t place);

/**
 * lang_functions_add() - one that is not there
 * @f: the functions
 * @new: but for strings; its table is taken over, also on failure
 * @name: text
 * @file: text
 *
 * Return: number; 0 without memory.
 */
uint32_t lang_functions_add(struct lang_functions *f, const struct lang_function *new,
			    const char *name, const char *file);

/**
 * lang_functions_rename() - one that is known better now
 * @f: the functions
 * @n: number of the function
 * @name: text
 * @file: text
 * @first_line: of its definition
 * @root: of its operations, of Perl
 *
 * Return: 0 or -ENOMEM; then it is as it was.
 */
int lang_functions_rename(struct lang_functions *f, uint32_t n, const char *name, const char *file,
			  uint32_t first_line, uint64_t root);

#endif /* USTACK_USER_LANG_FUNCTIONS_H */
