/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Constants that code loads into a register long before it uses them: compilers load the address of a
 * switch's table before the loop that the switch is in.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_BASE_H
#define USTACK_USER_SFRAME_SYNTH_CODE_BASE_H

#include "core.h"

struct code_flow;

/* Most instructions that are read backwards from one place. */
#define CODE_MAX_BACK 4096u

/**
 * struct code_edge - a jump in decoded code to one target
 * @from: number of the jump's first byte
 * @other: index, plus 1, of another edge with the same target; 0: there is no other
 */
struct code_edge {
	u32 from;
	u32 other;
};

/**
 * struct code_edges - all jumps in decoded code; code_edges_release() releases it
 * @all: the edges; while @known, f->root of each byte has the index, plus 1, of an edge that leads there
 * @nr: number of @all
 * @known: @all and f->root are up to date
 */
struct code_edges {
	struct code_edge *all;
	size_t nr;
	bool known;

	/* private */
	size_t room;
};

void code_edges_release(struct code_edges *e);

/**
 * code_base_find() - find the constant that a register has
 * @f: the analysis; its states do not change during the call. @f->root is overwritten
 * @at: number of a decoded instruction's first byte
 * @reg: the register
 * @ret: written in any case
 *
 * All decoded ways to @at are read backwards. Each must come from an instruction that loads the same
 * constant, and no instruction or call on them may change @reg.
 *
 * Return: false if that is not so, or if it takes too long to find out.
 */
bool code_base_find(struct code_flow *f, u32 at, u8 reg, u64 *ret);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_BASE_H */
