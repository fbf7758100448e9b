/* SPDX-License-Identifier: GPL-2.0-only */
/* CPython's location tables, from 3.11 on: Objects/locations.md of its source. */
#ifndef USTACK_USER_LANG_LINETABLE_H
#define USTACK_USER_LANG_LINETABLE_H

#include <stddef.h>
#include <stdint.h>

/**
 * linetable_line() - the line of an instruction
 * @table: the bytes of co_linetable; anything
 * @len: of @table
 * @first_line: co_firstlineno
 * @index: of the instruction, in units of two bytes; -1: the function has not begun, which is at
 *	its first line
 *
 * Return: the line; 0 if the table says that there is none, does not reach so far or is damaged.
 */
uint32_t linetable_line(const uint8_t *table, size_t len, uint32_t first_line, int64_t index);

#endif /* USTACK_USER_LANG_LINETABLE_H */
