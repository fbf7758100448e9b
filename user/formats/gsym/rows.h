/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the writer: programs of line tables. The window of a program says
 * which steps of a line, together with how many bytes of code, fit opcodes of
 * one byte.
 */
#ifndef USTACK_USER_GSYM_ROWS_H
#define USTACK_USER_GSYM_ROWS_H

#include "util/buffer.h"

struct gsym_row {
	uint64_t addr;
	uint32_t file;
	uint32_t line;
};

/*
 * Steps of a line from @min to @max. Both are within -64 to 63, so that each
 * takes one byte in the header.
 */
struct gsym_window {
	int8_t min;
	int8_t max;
};

/* The window of rows in parts, and of the prototype's layout. */
#define GSYM_PART_WINDOW ((struct gsym_window){ -4, 10 })

/**
 * gsym_rows_step() - write the opcodes of one row
 * @b: buffer that they are appended to
 * @w: window of the program
 * @at: the row before; for the first row the initial state of the program
 * @row: row to write; its address is not below that of @at
 */
void gsym_rows_step(struct buffer *b, struct gsym_window w,
		    const struct gsym_row *at, const struct gsym_row *row);

/*
 * Reads the next row of a program that gsym_rows_step() wrote, and moves @p
 * after it. @at: the row before; becomes the next row.
 */
void gsym_rows_next(const uint8_t **p, struct gsym_window w, struct gsym_row *at);

/* Limits for windows: lowest step, number of steps, and width. */
#define GSYM_MIN_STEP (-64)
#define GSYM_NR_STEPS 128
#define GSYM_MAX_WIDTH 64

/*
 * Rows with the same step and the same widest window (in which any step fits
 * one opcode together with their bytes of code). @next: next cell of that
 * width, counted from 1.
 */
struct gsym_step_cell {
	uint8_t step;
	uint8_t width;
	uint16_t next;
};

/**
 * struct gsym_steps - scratch memory of gsym_rows_window()
 * @weight: for each cell, what its rows save
 * @sums: for each step, what the rows save that fit the present window
 * @of_width: first cell of each width, counted from 1
 * @cells: cells in use
 * @nr_cells: number of @cells
 * @steps: steps that occur, ascending
 * @nr_steps: number of @steps
 *
 * @weight, @sums and @of_width are 0 between calls.
 */
struct gsym_steps {
	uint32_t weight[GSYM_NR_STEPS][GSYM_MAX_WIDTH + 1];
	uint32_t sums[GSYM_NR_STEPS];
	uint16_t of_width[GSYM_MAX_WIDTH + 1];
	struct gsym_step_cell cells[GSYM_NR_STEPS * (GSYM_MAX_WIDTH + 1)];
	unsigned int nr_cells;
	uint8_t steps[GSYM_NR_STEPS];
	unsigned int nr_steps;
};

/**
 * gsym_rows_window() - choose the window of the shortest program, or nearly so
 * @s: scratch memory
 * @start: start of the function
 * @rows: all rows of the function
 * @nr: number of @rows, at least 1
 */
struct gsym_window gsym_rows_window(struct gsym_steps *s, uint64_t start,
				    const struct gsym_row *rows, size_t nr);

/*
 * Writes the whole line table of a function, from its header to its end.
 * Parameters as above.
 */
void gsym_rows_encode(struct buffer *b, struct gsym_window w, uint64_t start,
		      const struct gsym_row *rows, size_t nr);

#endif /* USTACK_USER_GSYM_ROWS_H */
