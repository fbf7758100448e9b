/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of CPython: what a code object says of its name, its file and its lines. */
#ifndef USTACK_USER_LANG_CPYTHON_CODE_H
#define USTACK_USER_LANG_CPYTHON_CODE_H

#include "lang.h"
#include "symbols/lang/cpython_text.h"
#include "symbols/lang/memory.h"

enum cpython_code_state {
	CPYTHON_CODE_READ,
	CPYTHON_CODE_STALE,	/* another object is there by now, or none */
	CPYTHON_CODE_UNREADABLE,	/* the memory is not there: the process has gone, say */
};

/**
 * struct cpython_code - one of them
 * @name: qualified, as struct cpython_texts has it
 * @file: likewise
 * @first_line: of its definition
 * @table: location table, or NULL
 * @table_len: of @table
 */
struct cpython_code {
	char name[CPYTHON_TEXT_BYTES];
	char file[CPYTHON_TEXT_BYTES];
	uint32_t first_line;
	uint8_t *table;
	size_t table_len;
};

/**
 * cpython_code_read() - read what was sampled
 * @m: the process
 * @d: its version's structures
 * @addr: of the code object
 * @cookie: the sample's
 * @ret: on CPYTHON_CODE_READ; @ret->table is freed by the caller
 *
 * The object is compared with @cookie before and after, as the process runs meanwhile.
 *
 * Return: enum cpython_code_state.
 */
enum cpython_code_state cpython_code_read(const struct lang_memory *m, const struct lang_cpython *d,
					  uint64_t addr, uint32_t cookie, struct cpython_code *ret);

#endif /* USTACK_USER_LANG_CPYTHON_CODE_H */
