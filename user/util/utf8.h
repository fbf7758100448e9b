/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts for formats that accept only UTF-8 (RFC 3629, section 4).
 */
#ifndef USTACK_USER_UTF8_H
#define USTACK_USER_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Return: bytes of the character at @s, which ends with a NUL; 0 if it is not UTF-8. */
unsigned int utf8_len(const char *s);

/* Return: whether all of @s is UTF-8. */
bool utf8_valid(const char *s);

/* Bytes that utf8_repair() may need for a text of @len bytes. */
#define UTF8_REPAIR_BYTES(len) (3 * (size_t)(len) + 1)

/*
 * Copies @s to @to, with U+FFFD for each byte that is not part of a character.
 * Return: length of @to.
 */
size_t utf8_repair(const char *s, char *to);

#endif /* USTACK_USER_UTF8_H */
