/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of a struct synth while they are gathered. */
#ifndef USTACK_USER_SFRAME_SYNTH_ROWS_H
#define USTACK_USER_SFRAME_SYNTH_ROWS_H

#include "sframe/cfi.h"
#include "sframe/synth.h"
#include "sframe/synth_mend.h"

struct synth_go;

/* Rows of all functions; what a function has is known by index until all are
 * there, as the array moves.
 */
struct synth_rows {
	struct sframe_row *row;
	size_t nr;
	size_t room;
	size_t *first;	/* of each function */
	size_t funcs_room;
	size_t gaps_room;
	bool by_register;	/* some CFA is */
	struct mend mend;
	struct synth_go *go;	/* NULL if the file is not Go's, ... */
	const char *why_no_go;	/* or its table is of no use, and why */
};

/* All of them return 0 or -ENOMEM. */

/* Code that will have no rules; of @fde only addresses and offset are read. */
int synth_add_gap(struct synth *s, const struct cfi_fde *fde,
		  enum synth_cause cause);

/* Adds to the rows of @func, which is to be added next. */
int synth_add_row(struct synth *s, struct sframe_func *func, u32 start,
		  const struct ustack_rule *rule);
int synth_add_func(struct synth *s, const struct sframe_func *func);

/* Sorts functions and takes code from all but the first that claims it. */
int synth_settle(struct synth *s);

/* Of the first @nr functions, in order: the last that starts at or before @pc, or NULL. */
const struct sframe_func *synth_func_before(const struct synth *s, size_t nr, u64 pc);

/* Sums up what there is. */
void synth_count(struct synth *s);

/* Adds what Go's table says of code that has no CFI, where there is such a table. */
int synth_read_go(struct synth *s);

#endif /* USTACK_USER_SFRAME_SYNTH_ROWS_H */
