/* SPDX-License-Identifier: GPL-2.0-only */
/* Gathers the functions, rows and gaps of a struct synth. */
#ifndef USTACK_USER_SFRAME_SYNTH_ROWS_H
#define USTACK_USER_SFRAME_SYNTH_ROWS_H

#include "sframe/cfi.h"
#include "sframe/synth.h"
#include "sframe/synth_fixup.h"

struct synth_go;

/* Rows of all functions. Functions refer to their rows by index until all have been added, as
 * the array may move. NULL in both @go and @why_no_go: the file is not Go's.
 */
struct synth_rows {
	struct sframe_row *row;
	size_t nr;
	size_t room;
	size_t *first;	/* index in @row of each function's first row */
	size_t funcs_room;
	size_t gaps_room;
	bool by_register;	/* some CFA is based on a register other than SP and FP */
	struct fixup fixup;
	struct synth_go *go;	/* NULL if the file has no usable table of Go */
	const char *why_no_go;	/* why its table cannot be used, or NULL */
};

/* All functions that return int return 0 or -ENOMEM. */

/* Adds a gap: code that gets no rules. Only addresses and offset of @fde are read. */
int synth_add_gap(struct synth *s, const struct cfi_fde *fde,
		  enum synth_cause cause);

/* Adds a row to @func, which must be added before any other function. */
int synth_add_row(struct synth *s, struct sframe_func *func, u32 start,
		  const struct ustack_rule *rule);
int synth_add_func(struct synth *s, const struct sframe_func *func);

/* Sorts functions. If two have the same start, the one added first is kept and the other becomes
 * a gap; a function that reaches into the next one is cut.
 */
int synth_settle(struct synth *s);

/* Among the first @nr functions, which are sorted, the last at or before @pc, or NULL. */
const struct sframe_func *synth_func_before(const struct synth *s, size_t nr, u64 pc);

/* Sums up @s->cfi_bytes from the functions and gaps. */
void synth_count(struct synth *s);

/* Adds rules from Go's table, if there is one, for code that has no CFI. */
int synth_read_go(struct synth *s);

#endif /* USTACK_USER_SFRAME_SYNTH_ROWS_H */
