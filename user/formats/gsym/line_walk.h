/* SPDX-License-Identifier: MIT */
/*
 * Private to line tables: the state of a search for a row, which goes opcode by
 * opcode (lines.c) or in blocks (line_block.c).
 */
#ifndef USTACK_USER_GSYM_LINE_WALK_H
#define USTACK_USER_GSYM_LINE_WALK_H

#include "formats/gsym/read.h"

/* The header of a line table. */
struct gsym_line_header {
	int64_t min;
	uint64_t range;
	uint64_t line;
};

/**
 * struct gsym_line_walk - state of a search: after a row, or at the first
 * opcode
 * @p: the next opcode
 * @end: end of the table
 * @h: header of the table
 * @left: bytes from the present row to the address, which is not below it
 * @line: line of the present row; of the first opcode if there is no row yet
 * @file: file of the present row
 * @has_row: there is a present row
 */
struct gsym_line_walk {
	const uint8_t *p;
	const uint8_t *end;
	const struct gsym_line_header *h;
	uint64_t left;
	uint64_t line;
	uint64_t file;
	bool has_row;
};

/*
 * Special opcodes are most of a table, and a lookup goes through all of them
 * before its address. So the division by the range is done by a multiplication
 * with its reciprocal, rounded up; this is exact for dividends below 256.
 */
static inline uint32_t gsym_line_reciprocal(uint64_t range)
{
	return range > UINT8_MAX ? 0 : 65536 / (uint32_t)range + 1;
}

#ifdef __SSE2__
#define GSYM_LINE_BLOCK 64u

/**
 * gsym_line_block() - advance by up to GSYM_LINE_BLOCK bytes
 * @w: GSYM_LINE_BLOCK bytes at @w->p must be readable, even after @w->end; the
 *     range must be above 1
 *
 * Return: 1 if the present row is the one that is searched for; 0 if it
 * advanced by a row or more; -EAGAIN if the next bytes must be read opcode by
 * opcode.
 */
int gsym_line_block(struct gsym_line_walk *w);
#endif

#endif /* USTACK_USER_GSYM_LINE_WALK_H */
