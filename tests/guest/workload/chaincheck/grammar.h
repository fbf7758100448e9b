/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The possible stacks of a program, declared in the file `chains`, and whether the stack of a
 * sample is one of them.
 */
#ifndef CHAINCHECK_GRAMMAR_H
#define CHAINCHECK_GRAMMAR_H

#include <stdbool.h>

#include "util.h"

/* in place of a function's name, for frames that have no name of ours */
extern const char *const token_libc;	/* any frame of a stock file */
extern const char *const token_signal;	/* the address that a handler returns to */

enum verdict { CHAIN_WHOLE, CHAIN_CUT, CHAIN_WRONG };

/*
 * only: the scenarios that count, all if empty. whole_libc: stock files have tables, so a stack
 * must reach its very end.
 */
void grammar_load(const char *path, const char *const *only, size_t nr_only,
		  bool whole_libc);

/*
 * names: outermost first. CHAIN_CUT: the frames are right, and more are missing at the outer
 * end; this is allowed only beside a frame of a stock file, unless anywhere. scenario: the
 * scenario to which the stack belongs.
 */
enum verdict grammar_match(const char *const *names, size_t count,
			   bool cut_anywhere, const char **scenario);

/* the loaded scenarios, one after the other; NULL after the last */
const char *grammar_scenario(size_t index);

#endif
