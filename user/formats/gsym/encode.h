/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to the writer: the bytes of functions. */
#ifndef USTACK_USER_GSYM_ENCODE_H
#define USTACK_USER_GSYM_ENCODE_H

#include "formats/gsym/plan.h"

/**
 * struct gsym_encoder - one thread's
 * @plan: complete
 * @layout: of the file
 * @out: bytes of functions; emptied by the caller
 * @rows: of the function at hand
 * @rows_room: rows that @rows has room for
 * @steps: scratch of gsym_rows_window()
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
 * gsym_encode() - put a function, and those that are merged into it, behind e->out
 * @e: the thread's
 * @i: in the plan's functions; not a merged one
 * @measure: choose windows of line tables first; without it they have been chosen
 *
 * Return: 0; -EFBIG if a length does not fit 32 bits; -ENOMEM.
 */
int gsym_encode(struct gsym_encoder *e, size_t i, bool measure);

#endif /* USTACK_USER_GSYM_ENCODE_H */
