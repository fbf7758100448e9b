/* SPDX-License-Identifier: MIT */
/* Private to line tables: the search for a row, opcode by opcode and in blocks. */
#ifndef USTACK_USER_GSYM_LINE_WALK_H
#define USTACK_USER_GSYM_LINE_WALK_H

#include "formats/gsym/read.h"

/* What a line table starts with. */
struct gsym_line_header {
	int64_t min;
	uint64_t range;
	uint64_t line;
};

/**
 * struct gsym_line_walk - where a search is: behind a row, or at the first opcode
 * @p: the next opcode
 * @end: of the table
 * @left: bytes from the row at hand to the address, which is not above it
 * @line: of the row at hand, with @file; of the first opcode if there is none
 * @has_row: there is one
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
 * Special opcodes are most of a table, and a lookup has to go through all that are in
 * front of its address. Dividing by the range is a multiplication: rounded up, as
 * what is divided is below 256.
 */
static inline uint32_t gsym_line_reciprocal(uint64_t range)
{
	return range > UINT8_MAX ? 0 : 65536 / (uint32_t)range + 1;
}

#ifdef __SSE2__
#define GSYM_LINE_BLOCK 64u

/**
 * gsym_line_block() - go on by up to GSYM_LINE_BLOCK bytes
 * @w: as many may be read at @w->p, also behind @w->end; with a range above 1
 *
 * Return: 1 if the row at hand is the one that is looked for; 0 if it went on by a row or
 * more; -EAGAIN if what comes next has to be read opcode by opcode.
 */
int gsym_line_block(struct gsym_line_walk *w);
#endif

#endif /* USTACK_USER_GSYM_LINE_WALK_H */
