/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stacks that a program can have, declared in the file `chains`, and
 * whether a sample's is one of them.
 */
#ifndef CHAINCHECK_GRAMMAR_H
#define CHAINCHECK_GRAMMAR_H

#include <stdbool.h>

#include "util.h"

/* in the place of a function's name, for frames that have no name of ours */
extern const char *const token_libc;	/* any frame of a stock file */
extern const char *const token_signal;	/* where a handler returns to */

enum verdict { CHAIN_WHOLE, CHAIN_CUT, CHAIN_WRONG };

/*
 * only: the scenarios that count, all if empty. whole_libc: stock files have
 * tables, so that a stack must be there to the very end.
 */
void grammar_load(const char *path, const char *const *only, size_t nr_only,
		  bool whole_libc);

/*
 * names: outermost first. CHAIN_CUT: what is there is right, and more is
 * missing at the outer end; only beside a stock file's frame unless anywhere.
 * scenario: which one it belongs to.
 */
enum verdict grammar_match(const char *const *names, size_t count,
			   bool cut_anywhere, const char **scenario);

/* the scenarios loaded, one after the other; NULL after the last */
const char *grammar_scenario(size_t index);

#endif
