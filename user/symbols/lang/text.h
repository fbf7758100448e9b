/* SPDX-License-Identifier: GPL-2.0-only */
/* Characters of a process's strings, as texts of this program: UTF-8 without control characters. */
#ifndef USTACK_USER_LANG_TEXT_H
#define USTACK_USER_LANG_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "lang.h"
#include "symbols/lang/memory.h"

/* In place of what is no character. */
#define LANG_TEXT_REPLACEMENT 0xfffdu

/* Shows that a text is cut. */
#define LANG_TEXT_MORE 0x2026u

/* Bytes that @nr characters take at most, with a mark that they are cut and a NUL. */
#define LANG_TEXT_ROOM(nr) (4 * (nr) + 8)

/**
 * lang_text_put() - write a character
 * @to: where, with room for 4 bytes
 * @c: code point; a control character is written as in /proc/PID/maps (\012), and so is a
 *	backslash; what is no character, such as a lone surrogate, is U+FFFD
 *
 * Return: the place behind it. There is no NUL.
 */
char *lang_text_put(char *to, uint32_t c);

/* The code point of the @len bytes at @s, which utf8_len() has found to be one character. */
uint32_t lang_text_character(const char *s, unsigned int len);

/**
 * lang_text_utf8() - write bytes that should be UTF-8
 * @to: where, with LANG_TEXT_ROOM(@len)
 * @bytes: @len of them, and a NUL behind
 * @len: of @bytes
 * @more: there are more, which are left out: that is shown
 *
 * Return: the NUL behind them.
 */
char *lang_text_utf8(char *to, const char *bytes, size_t len, bool more);

/**
 * lang_ends_of() - read what counts of a string in a fingerprint
 * @m: the process
 * @at: the string's first byte
 * @ret: of which @ret->len is set, and the rest is zeros
 *
 * Return: whether the bytes are there.
 */
bool lang_ends_of(const struct lang_memory *m, uint64_t at, struct lang_ends *ret);

#endif /* USTACK_USER_LANG_TEXT_H */
