/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the writer: encodes functions.
 */
#ifndef USTACK_USER_GSYM_ENCODE_H
#define USTACK_USER_GSYM_ENCODE_H

#include "formats/gsym/plan.h"

/**
 * struct gsym_encoder - encoder of one thread
 * @plan: complete
 * @layout: layout of the file
 * @out: encoded functions; emptied by the caller
 * @rows: rows of the present function
 * @rows_room: number of rows that @rows has room for
 * @steps: scratch memory of gsym_rows_window()
 */
struct gsym_encoder {
	struct gsym_plan *plan;
	enum gsym_layout layout;
	struct buffer out;
	struct gsym_row *rows;
	size_t rows_room;
	struct gsym_steps steps;
};

struct gsym_encoder *gsym_encoder_new(struct gsym_plan *plan, enum gsym_layout layout,
				      bool big_endian);
void gsym_encoder_free(struct gsym_encoder *e);

/**
 * gsym_encode() - append a function, and those merged into it, to e->out
 * @e: encoder of this thread
 * @i: index in the plan's functions; not a merged one
 * @measure: choose the windows of line tables first; without it they must have
 *           been chosen
 *
 * Return: 0; -EFBIG if a length does not fit 32 bits; -ENOMEM.
 */
int gsym_encode(struct gsym_encoder *e, size_t i, bool measure);

#endif /* USTACK_USER_GSYM_ENCODE_H */
