/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: functions of one process's generated code, where
 * newer functions replace older ones.
 */
#ifndef USTACK_USER_SYMSTORE_JIT_CODES_H
#define USTACK_USER_SYMSTORE_JIT_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits for one process: 160 MB of functions, and 160 MB of names. */
#define JIT_MAX_CODES (4u << 20)
#define JIT_MAX_NAMES (160u << 20)
#define JIT_NO_LINES UINT32_MAX

/**
 * struct jit_code - a function
 * @start: address of the first byte
 * @end: the address after it
 * @order: number in the order of arrival
 * @name: offset of its name in @names of struct jit_codes
 * @lines: index of its first row in @lines of struct jit_codes, JIT_NO_LINES if it has
 *         none
 * @nr_lines: number of its rows
 */
struct jit_code {
	uint64_t start;
	uint64_t end;
	uint32_t order;
	uint32_t name;
	uint32_t lines;
	uint32_t nr_lines;
};

/*
 * A row: from @addr on, code belongs to line @line of the file whose path is at offset
 * @file in @names of struct jit_codes.
 */
struct jit_line {
	uint64_t addr;
	uint32_t file;
	uint32_t line;
};

/* The functions of one process; empty if zeroed. */
struct jit_codes {
	struct jit_code *code;
	uint32_t nr;
	uint32_t room;
	uint32_t order;
	bool sorted;
	struct jit_line *lines;
	uint32_t nr_lines;
	uint32_t lines_room;
	char *names;
	size_t nr_names;
	size_t names_room;
};

void jit_codes_release(struct jit_codes *c);

/*
 * Add a name, a function, a row.
 * Return: 0; -ENOMEM; -E2BIG if the process has reached the limits.
 */
int jit_codes_name(struct jit_codes *c, const char *name, size_t len, uint32_t *ret);
int jit_codes_add(struct jit_codes *c, const struct jit_code *code);
int jit_codes_line(struct jit_codes *c, const struct jit_line *line);

/* Return: the function at an address, valid until the next addition; NULL if there is none. */
const struct jit_code *jit_codes_find(struct jit_codes *c, uint64_t addr);
/* Return: the row for an address of @code; NULL if there is none. */
const struct jit_line *jit_codes_line_at(const struct jit_codes *c,
					 const struct jit_code *code, uint64_t addr);

#endif /* USTACK_USER_SYMSTORE_JIT_CODES_H */
