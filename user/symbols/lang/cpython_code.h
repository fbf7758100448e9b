/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of CPython: reads the name, file and lines of a code object. */
#ifndef USTACK_USER_LANG_CPYTHON_CODE_H
#define USTACK_USER_LANG_CPYTHON_CODE_H

#include "lang.h"
#include "symbols/lang/cpython_text.h"
#include "symbols/lang/memory.h"

enum cpython_code_state {
	CPYTHON_CODE_READ,
	CPYTHON_CODE_STALE,	/* another object is at the address by now, or none */
	CPYTHON_CODE_UNREADABLE,	/* the memory is missing, as after the end of the process */
};

/**
 * struct cpython_code - a function
 * @name: qualified name, see struct cpython_texts
 * @file: path of its source file, see struct cpython_texts
 * @first_line: line of its definition
 * @table: location table, or NULL
 * @table_len: bytes of @table
 */
struct cpython_code {
	char name[CPYTHON_TEXT_BYTES];
	char file[CPYTHON_TEXT_BYTES];
	uint32_t first_line;
	uint8_t *table;
	size_t table_len;
};

/**
 * cpython_code_read() - read the code object that was sampled
 * @m: the process's memory
 * @d: structures of its version
 * @addr: address of the code object
 * @cookie: fingerprint of the object in the sample
 * @ret: set on CPYTHON_CODE_READ; the caller frees @ret->table
 *
 * The object is compared with @cookie before and after reading, as the process runs
 * meanwhile.
 *
 * Return: enum cpython_code_state.
 */
enum cpython_code_state cpython_code_read(const struct lang_memory *m, const struct lang_cpython *d,
					  uint64_t addr, uint32_t cookie, struct cpython_code *ret);

#endif /* USTACK_USER_LANG_CPYTHON_CODE_H */
