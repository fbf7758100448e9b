/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts for formats that take nothing but UTF-8 (RFC 3629, section 4). */
#ifndef USTACK_USER_UTF8_H
#define USTACK_USER_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at @s, which a NUL ends; 0 if it is none. */
unsigned int utf8_len(const char *s);

/* Whether all of @s is UTF-8. */
bool utf8_valid(const char *s);

/* Room that utf8_mend() may need for a text of @len bytes. */
#define UTF8_MEND_BYTES(len) (3 * (size_t)(len) + 1)

/* @s with U+FFFD for each byte that is of no character. Return: length of @to. */
size_t utf8_mend(const char *s, char *to);

#endif /* USTACK_USER_UTF8_H */
