/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings and bytes of CPython, out of a process's memory. */
#ifndef USTACK_USER_LANG_CPYTHON_TEXT_H
#define USTACK_USER_LANG_CPYTHON_TEXT_H

#include "symbols/lang/memory.h"

/* Characters of a text that are read; what is longer is cut. */
#define CPYTHON_TEXT 1024u
/* Bytes that these take here at most, with the NUL: a character is 4 bytes, or 4 for each control
 * character's octal number.
 */
#define CPYTHON_TEXT_BYTES (4 * CPYTHON_TEXT + 8)
/* A location table with more bytes is not read: the largest function of the standard library has
 * some 20 KB.
 */
#define CPYTHON_MAX_TABLE (1u << 20)

/**
 * struct cpython_strings - how a version's strings are laid out
 * @ascii: offset of the characters of one of ASCII alone
 * @other: the same of all others
 */
struct cpython_strings {
	uint8_t ascii;
	uint8_t other;
};

/**
 * struct cpython_objects - what a function's texts are in: addresses in the process
 * @name: a str
 * @file: a str
 * @table: a bytes object
 */
struct cpython_objects {
	uint64_t name;
	uint64_t file;
	uint64_t table;
};

/**
 * struct cpython_texts - what is in them
 * @name: CPYTHON_TEXT_BYTES of room: UTF-8 without control characters, which are written as in
 *	/proc/PID/maps (\012); what is none, such as a lone surrogate, is U+FFFD
 * @file: likewise
 * @table: freed by the caller, on success
 * @table_len: at most CPYTHON_MAX_TABLE
 */
struct cpython_texts {
	char *name;
	char *file;
	uint8_t *table;
	size_t table_len;
};

/**
 * cpython_texts() - read a function's texts, all of them in two requests
 * @m: the process
 * @s: of its version
 * @from: where they are
 * @ret: its @name and @file have room
 *
 * Return: whether they could be read, and are such objects.
 */
bool cpython_texts(const struct lang_memory *m, const struct cpython_strings *s,
		   const struct cpython_objects *from, struct cpython_texts *ret);

#endif /* USTACK_USER_LANG_CPYTHON_TEXT_H */
