/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes as text and back: hexadecimal digits and base64.
 */
#ifndef USTACK_USER_HEX_H
#define USTACK_USER_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return: the value of a hexadecimal digit; -1 for any other character. */
int hex_digit(char c);

/* Return: whether the @len characters of @s are all digits 0-9a-f. */
bool hex_is_lower(const char *s, size_t len);

/*
 * Converts 2 * @len hexadecimal digits into @len bytes. Return: false if @s has
 * another character.
 */
bool hex_bytes(const char *s, uint8_t *ret, size_t len);

/* Number of base64 characters for @len bytes, without the NUL. */
#define BASE64_LEN(len) (((size_t)(len) + 2) / 3 * 4)

/**
 * base64_write() - write bytes as base64 (RFC 4648, section 4)
 * @bytes: bytes to convert
 * @len: number of bytes in @bytes
 * @ret: room for BASE64_LEN(@len) characters and a NUL
 */
void base64_write(const uint8_t *bytes, size_t len, char *ret);

/**
 * base64_read() - convert base64 to bytes
 * @s: text; white space in it is skipped, "-_" means the same as "+/", and
 *     padding may be absent
 * @len: number of characters in @s
 * @ret: room for @len / 4 * 3 + 3 bytes
 * @ret_len: set to the number of bytes that were written
 *
 * Return: false if @s is not base64.
 */
bool base64_read(const char *s, size_t len, uint8_t *ret, size_t *ret_len);

#endif /* USTACK_USER_HEX_H */
