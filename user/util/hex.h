/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes as text, and back. */
#ifndef USTACK_USER_HEX_H
#define USTACK_USER_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a hexadecimal digit; -1 of another character. */
int hex_digit(char c);

/* Whether the first @len characters of @s, which has as many, are digits as 0-9a-f. */
bool hex_is_lower(const char *s, size_t len);

/* The first 2 * @len characters of @s, hexadecimal digits. Return: whether they are. */
bool hex_bytes(const char *s, uint8_t *ret, size_t len);

/* Characters of base64 for @len bytes, without the NUL. */
#define BASE64_LEN(len) (((size_t)(len) + 2) / 3 * 4)

/**
 * base64_write() - bytes as base64 (RFC 4648, section 4)
 * @bytes: @len of them
 * @len: any
 * @ret: BASE64_LEN(@len) + 1 characters, and a NUL
 */
void base64_write(const uint8_t *bytes, size_t len, char *ret);

/**
 * base64_read() - and back
 * @s: @len characters; white space in between is passed, "-_" are as "+/", and padding
 *     may be absent
 * @len: any
 * @ret: @len / 4 * 3 + 3 bytes
 * @ret_len: bytes that were written
 *
 * Return: whether it is base64.
 */
bool base64_read(const char *s, size_t len, uint8_t *ret, size_t *ret_len);

#endif /* USTACK_USER_HEX_H */
