/* SPDX-License-Identifier: GPL-2.0-only */
/* Characters of a process's strings, as texts of this program: UTF-8 without control characters. */
#ifndef USTACK_USER_LANG_TEXT_H
#define USTACK_USER_LANG_TEXT_H

#include <stdint.h>

/* In place of what is no character. */
#define LANG_TEXT_REPLACEMENT 0xfffdu

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

#endif /* USTACK_USER_LANG_TEXT_H */
