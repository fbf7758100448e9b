/* SPDX-License-Identifier: GPL-2.0-only */
/* Proves from generated code of the BEAM how large the frame of a function is. */
#ifndef USTACK_USER_LANG_BEAM_SIZE_H
#define USTACK_USER_LANG_BEAM_SIZE_H

#include "symbols/lang/beam_module.h"

/* Words of a frame at most: 1024 variables and a few that fragments push. */
#define BEAM_SIZE_MOST 1040u

/**
 * struct beam_place - where a thread is in generated code
 * @m: the process's memory
 * @d: where its modules are
 * @module: the module; NULL for a fragment of the runtime
 * @function: index of the function in @module; its @nr if it is in none
 * @pc: code address
 * @stack: where the top of the stack is, for the innermost frame; BEAM_STACK_IN_SP else
 */
struct beam_place {
	const struct lang_memory *m;
	const struct lang_beam *d;
	const struct beam_module *module;
	u32 function;
	u64 pc;
	enum lang_beam_stack stack;
};

/**
 * beam_size() - find the return address of a frame
 * @p: where the frame is
 *
 * Follows the code on all ways to the function's end, and counts what they take off the stack.
 * All must take the same.
 *
 * Return: number of words from the top of the stack to the return address, plus 1; 0 if the code
 * does not prove it.
 */
u32 beam_size(const struct beam_place *p);

/* Return: whether the call in front of @p->pc, a return address, is that of a fragment. */
bool beam_calls_fragment(const struct beam_place *p);

#endif /* USTACK_USER_LANG_BEAM_SIZE_H */
