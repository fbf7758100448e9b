/* SPDX-License-Identifier: GPL-2.0-only */
/* CPython's location tables since 3.11, see Objects/locations.md in its source. */
#ifndef USTACK_USER_LANG_LINETABLE_H
#define USTACK_USER_LANG_LINETABLE_H

#include <stddef.h>
#include <stdint.h>

/**
 * linetable_line() - find the line of an instruction
 * @table: the bytes of co_linetable; untrusted
 * @len: bytes of @table
 * @first_line: co_firstlineno
 * @index: number of the instruction, in units of two bytes; -1 if the function has not
 *         begun, which counts as its first line
 *
 * Return: the line; 0 if the table has none for it, is too short or damaged.
 */
uint32_t linetable_line(const uint8_t *table, size_t len, uint32_t first_line, int64_t index);

#endif /* USTACK_USER_LANG_LINETABLE_H */
