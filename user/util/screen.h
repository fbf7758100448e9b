/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Foreign texts on a terminal. Names in a profile come from the files of the
 * profiled programs, and a terminal interprets control characters in them.
 */
#ifndef USTACK_USER_SCREEN_H
#define USTACK_USER_SCREEN_H

#include <stddef.h>

/**
 * screen_text() - one line that a terminal shows without interpreting it
 * @s: any bytes
 * @buf: result, UTF-8. Written as \ooo: control characters (also those of
 *       Latin-1), marks that change the direction of text, line separators,
 *       backslashes, and bytes that are not UTF-8
 * @len: bytes of @buf, at least 1; a longer result is cut between characters
 *
 * Return: @buf.
 */
const char *screen_text(const char *s, char *buf, size_t len);

/**
 * screen_column() - the same, cut or padded to a width
 * @s: any bytes
 * @cells: number of characters in the result; spaces are added at the end
 * @buf: result
 * @len: bytes of @buf; 4 for each cell and 1 are enough
 *
 * All characters are assumed to have the same width.
 *
 * Return: @buf.
 */
const char *screen_column(const char *s, unsigned int cells, char *buf, size_t len);

#endif /* USTACK_USER_SCREEN_H */
