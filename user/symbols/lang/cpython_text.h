/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads strings and bytes objects of CPython from a process's memory. */
#ifndef USTACK_USER_LANG_CPYTHON_TEXT_H
#define USTACK_USER_LANG_CPYTHON_TEXT_H

#include "symbols/lang/memory.h"

/* Characters that are read of a string; a longer one is cut. */
#define CPYTHON_TEXT 1024u
/*
 * Bytes of a string here at most, with the NUL: a character takes up to 4 bytes, also as
 * an octal number for a control character.
 */
#define CPYTHON_TEXT_BYTES (4 * CPYTHON_TEXT + 8)
/*
 * Bytes of the largest location table that is read; the largest function of the standard
 * library has some 20 KB.
 */
#define CPYTHON_MAX_TABLE (1u << 20)

/**
 * struct cpython_strings - layout of strings in a version
 * @ascii: offset of the characters in a str with only ASCII
 * @other: offset of the characters in any other str
 */
struct cpython_strings {
	uint8_t ascii;
	uint8_t other;
};

/**
 * struct cpython_objects - addresses in the process of a function's texts
 * @name: address of a str
 * @file: address of a str
 * @table: address of a bytes object
 */
struct cpython_objects {
	uint64_t name;
	uint64_t file;
	uint64_t table;
};

/**
 * struct cpython_texts - texts of a function
 * @name: buffer of CPYTHON_TEXT_BYTES: UTF-8. Control characters are written as in
 *        /proc/PID/maps (\012); an invalid character, such as a lone surrogate, is U+FFFD
 * @file: buffer as @name
 * @table: location table; on success the caller frees it
 * @table_len: bytes of @table, at most CPYTHON_MAX_TABLE
 */
struct cpython_texts {
	char *name;
	char *file;
	uint8_t *table;
	size_t table_len;
};

/**
 * cpython_texts() - read a function's texts in two requests
 * @m: the process's memory
 * @s: layout of the version's strings
 * @from: addresses of the texts
 * @ret: @name and @file point to buffers
 *
 * Return: whether all could be read and are objects of the right kind.
 */
bool cpython_texts(const struct lang_memory *m, const struct cpython_strings *s,
		   const struct cpython_objects *from, struct cpython_texts *ret);

#endif /* USTACK_USER_LANG_CPYTHON_TEXT_H */
