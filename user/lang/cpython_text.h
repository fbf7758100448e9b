/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings and bytes of CPython, out of a process's memory. */
#ifndef USTACK_USER_LANG_CPYTHON_TEXT_H
#define USTACK_USER_LANG_CPYTHON_TEXT_H

#include "lang/memory.h"

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
 * cpython_text() - read a str
 * @m: the process
 * @s: of its version
 * @addr: of the object
 * @ret: CPYTHON_TEXT_BYTES of room: UTF-8 without control characters, which are written as in
 *	/proc/PID/maps (\012); what is none, such as a lone surrogate, is U+FFFD
 *
 * Return: its bytes in @ret, without the NUL; -1 if it cannot be read or is no such object.
 */
int cpython_text(const struct lang_memory *m, const struct cpython_strings *s, uint64_t addr,
		 char *ret);

/**
 * cpython_bytes() - read a bytes object
 * @m: the process
 * @addr: of the object
 * @ret: freed by the caller, on success
 * @len: its bytes, at most CPYTHON_MAX_TABLE
 *
 * Return: whether it could be read.
 */
bool cpython_bytes(const struct lang_memory *m, uint64_t addr, uint8_t **ret, size_t *len);

#endif /* USTACK_USER_LANG_CPYTHON_TEXT_H */
