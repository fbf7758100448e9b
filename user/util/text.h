/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers and foreign strings in the form that people and lines can take. */
#ifndef USTACK_USER_TEXT_H
#define USTACK_USER_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Room for text_bytes() and text_share(). */
#define TEXT_SHORT 32

/**
 * text_escape() - make a path fit one line
 * @s: any bytes
 * @buf: result; control characters of UTF-8 and backslashes become \ooo as in /proc/PID/maps
 * @len: bytes of @buf, at least 1; a longer result is cut
 *
 * Return: @buf.
 */
const char *text_escape(const char *s, char *buf, size_t len);

/**
 * text_bytes() - an amount of memory, such as "512 bytes" or "12.3 MiB"
 * @bytes: the amount
 * @buf: result
 *
 * Return: @buf.
 */
const char *text_bytes(uint64_t bytes, char buf[TEXT_SHORT]);

/**
 * text_share() - a share in percent, such as "98.31 %"
 * @part: of @whole
 * @whole: 0 gives "-"
 * @buf: result, rounded down so that only all of it is "100.00 %"
 *
 * Return: @buf.
 */
const char *text_share(uint64_t part, uint64_t whole, char buf[TEXT_SHORT]);

/**
 * text_hex() - bytes as hex digits
 * @bytes: e.g. a build id
 * @n: number of @bytes
 * @buf: result
 * @len: bytes of @buf; as many bytes as fit are written
 *
 * Return: @buf.
 */
const char *text_hex(const uint8_t *bytes, size_t n, char *buf, size_t len);

/* What follows the last slash of @path; all of it if that is nothing. */
const char *text_base_name(const char *path);

#endif /* USTACK_USER_TEXT_H */
