/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks as names, which is all that many tools print: a line is "COMM;OUTERMOST;...;INNERMOST
 * N" for N samples of one stack.
 */
#ifndef CHAINCHECK_FOLDED_H
#define CHAINCHECK_FOLDED_H

#include <stdbool.h>
#include <stdio.h>

/*
 * checked: judged samples, which are whole; cut: right as far as they go; or wrong. apart:
 * taken where no function of ours is above libc's, and not judged.
 */
struct folded_counts {
	unsigned long samples, checked, whole, cut, wrong, apart;
};

/*
 * Judges the lines that name a function of ours, and prints the wrong ones, at most `shown`. A
 * name that is not ours stands for any frame of a stock file, or for a signal's return if it is
 * alone between two of ours.
 */
struct folded_counts folded_check(FILE *f, bool whole_libc, bool cut_anywhere,
				  unsigned int shown);

#endif
