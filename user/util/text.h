/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers, paths and bytes as text that people can read and that fits one line.
 */
#ifndef USTACK_USER_TEXT_H
#define USTACK_USER_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a buffer for text_bytes() and text_share(). */
#define TEXT_SHORT 32

/**
 * text_escape() - make a path fit one line
 * @s: any bytes
 * @buf: result; control characters of UTF-8 and backslashes become \ooo as in
 *       /proc/PID/maps
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
 * @part: part of @whole
 * @whole: the whole; 0 gives "-"
 * @buf: result, rounded down so that "100.00 %" means the whole
 *
 * Return: @buf.
 */
const char *text_share(uint64_t part, uint64_t whole, char buf[TEXT_SHORT]);

/**
 * text_hex() - bytes as hexadecimal digits
 * @bytes: bytes, such as a build id
 * @n: number of bytes in @bytes
 * @buf: result
 * @len: bytes of @buf; only as many of @bytes as fit are written
 *
 * Return: @buf.
 */
const char *text_hex(const uint8_t *bytes, size_t n, char *buf, size_t len);

/*
 * Return: the part of @path after its last slash; all of @path if nothing
 * follows the slash.
 */
const char *text_base_name(const char *path);

#endif /* USTACK_USER_TEXT_H */
