/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns strings of a process into UTF-8 without control characters. */
#ifndef USTACK_USER_LANG_TEXT_H
#define USTACK_USER_LANG_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "lang.h"
#include "symbols/lang/memory.h"

/* Written in place of an invalid character. */
#define LANG_TEXT_REPLACEMENT 0xfffdu

/* Written at the end of a text that was cut. */
#define LANG_TEXT_MORE 0x2026u

/* Bytes of a text of @nr characters at most, with the mark of a cut text and a NUL. */
#define LANG_TEXT_ROOM(nr) (4 * (nr) + 8)

/**
 * lang_text_put() - write a character
 * @to: buffer with room for 4 bytes
 * @c: code point. Control characters and backslashes are written as in /proc/PID/maps
 *     (\012); an invalid code point, such as a lone surrogate, is U+FFFD
 *
 * Return: the place after the character. No NUL is written.
 */
char *lang_text_put(char *to, uint32_t c);

/* The code point of the @len bytes at @s, which utf8_len() has found to be one character. */
uint32_t lang_text_character(const char *s, unsigned int len);

/**
 * lang_text_utf8() - write bytes that should be UTF-8
 * @to: buffer of LANG_TEXT_ROOM(@len) bytes
 * @bytes: @len bytes, followed by a NUL
 * @len: number of bytes
 * @more: the string was cut: write LANG_TEXT_MORE at the end
 *
 * Return: the NUL at the end of the text.
 */
char *lang_text_utf8(char *to, const char *bytes, size_t len, bool more);

/**
 * lang_ends_of() - read the parts of a string that count for a fingerprint
 * @m: the process's memory
 * @at: address of the string's first byte
 * @ret: gets the parts; @len is set before, the rest is zeroed
 *
 * Return: whether the bytes are there.
 */
bool lang_ends_of(const struct lang_memory *m, uint64_t at, struct lang_ends *ret);

#endif /* USTACK_USER_LANG_TEXT_H */
