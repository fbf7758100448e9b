/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Foreign texts for people's screens: names in a profile are whatever the profiled
 * programs' files say, and a terminal obeys what it is sent.
 */
#ifndef USTACK_USER_SCREEN_H
#define USTACK_USER_SCREEN_H

#include <stddef.h>

/**
 * screen_text() - one line that a terminal shows and does not obey
 * @s: any bytes
 * @buf: result, UTF-8; control characters (those of Latin-1 too), marks that turn the
 *       direction of what follows, separators of lines, backslashes, and bytes that are
 *       no UTF-8 become \ooo
 * @len: bytes of @buf, at least 1; a longer result is cut between characters
 *
 * Return: @buf.
 */
const char *screen_text(const char *s, char *buf, size_t len);

/**
 * screen_column() - the same in a column
 * @s: any bytes
 * @cells: characters that the result has: cut, or spaces behind
 * @buf: result
 * @len: bytes of @buf; 4 for each cell and 1 are enough
 *
 * Every character is taken to be as wide as any other.
 *
 * Return: @buf.
 */
const char *screen_column(const char *s, unsigned int cells, char *buf, size_t len);

#endif /* USTACK_USER_SCREEN_H */
