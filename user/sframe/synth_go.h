/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules from Go's table of functions (gopclntab.h), as Go programs have no .eh_frame: the
 * table gives SP, instructions show which registers are saved (synth_go_code.h), and
 * functions that leave their stack are known by name.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_GO_H
#define USTACK_USER_SFRAME_SYNTH_GO_H

#include "sframe/func.h"
#include "sframe/synth.h"
#include "sframe/synth_go_elf.h"

struct synth_go;

/**
 * struct go_piece - a function or a part of one
 * @range: link-time addresses
 * @cause: why it has no rules, or SYNTH_NONE
 * @signal: the callers were interrupted, or are on another stack
 * @nr_rows: number of @rows
 * @rows: as in struct sframe_func, but adjacent ones may be equal. Valid until the next
 *        synth_go_next()
 */
struct go_piece {
	struct ustack_range range;
	enum synth_cause cause;
	bool signal;
	u32 nr_rows;
	const struct sframe_row *rows;
};

/**
 * synth_go_new() - open a file's table
 * @fd: the file, borrowed for the call
 * @elf: headers of the file, borrowed for the call
 * @ret: NULL if the file has no table that can be used
 * @why: set to a sentence if it has one that cannot be used
 *
 * Return: 0 or -ENOMEM.
 */
int synth_go_new(int fd, const struct ustack_elf *elf, struct synth_go **ret,
		 const char **why);

/* The same for an open table. @file is moved, also on failure. Return: 0 or -ENOMEM. */
int synth_go_take(struct go_file *file, const struct ustack_elf *elf,
		  struct synth_go **ret);
void synth_go_free(struct synth_go *g);

/* Whether @pc is in the text that the table covers. */
bool synth_go_has(const struct synth_go *g, u64 pc);

/* Reads the next piece, in ascending order. Return: 1; 0 after the last; -ENOMEM. */
int synth_go_next(struct synth_go *g, struct go_piece *ret);

#endif /* USTACK_USER_SFRAME_SYNTH_GO_H */
