/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the writer: programs of line tables. A program's window says which steps
 * of a line fit opcodes of one byte, together with how many bytes of code.
 */
#ifndef USTACK_USER_GSYM_ROWS_H
#define USTACK_USER_GSYM_ROWS_H

#include "util/buffer.h"

struct gsym_row {
	uint64_t addr;
	uint32_t file;
	uint32_t line;
};

/* Steps of a line from @min to @max, both within -64 to 63: a byte in the header. */
struct gsym_window {
	int8_t min;
	int8_t max;
};

/* What parts keep their rows with, and the prototype's layout. */
#define GSYM_PART_WINDOW ((struct gsym_window){ -4, 10 })

/**
 * gsym_rows_step() - the opcodes of one row
 * @b: where they go
 * @w: of the program
 * @at: the row before; of the first one the state that the program starts in
 * @row: not below @at
 */
void gsym_rows_step(struct buffer *b, struct gsym_window w,
		    const struct gsym_row *at, const struct gsym_row *row);

/* The next row of a program of gsym_rows_step(): @at goes on to it. @p: moved. */
void gsym_rows_next(const uint8_t **p, struct gsym_window w, struct gsym_row *at);

/* Windows are within these steps, and not wider than that. */
#define GSYM_MIN_STEP (-64)
#define GSYM_NR_STEPS 128
#define GSYM_MAX_WIDTH 64

/* Rows of the same step, in the same widest window in which their bytes of code fit one
 * opcode with any step. @next: of that width, counted from 1.
 */
struct gsym_step_cell {
	uint8_t step;
	uint8_t width;
	uint16_t next;
};

/**
 * struct gsym_steps - what gsym_rows_window() computes with
 * @weight: of rows, by cell
 * @sums: of rows that fit the window at hand, by step
 * @of_width: first cell of each width, counted from 1
 * @cells: in use
 * @nr_cells: number of @cells
 * @steps: those that occur, ascending
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
 * gsym_rows_window() - the window of the shortest program, or nearly so
 * @s: scratch
 * @start: of the function
 * @rows: all of its rows
 * @nr: at least 1
 */
struct gsym_window gsym_rows_window(struct gsym_steps *s, uint64_t start,
				    const struct gsym_row *rows, size_t nr);

/* The whole line table of a file, from its header to its end. See above. */
void gsym_rows_encode(struct buffer *b, struct gsym_window w, uint64_t start,
		      const struct gsym_row *rows, size_t nr);

#endif /* USTACK_USER_GSYM_ROWS_H */
