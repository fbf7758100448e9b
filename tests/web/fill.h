/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows as a machine with some services would have them: load that comes and goes, stacks
 * that part from each other, some that are not whole, and names that mean harm.
 */
#ifndef USTACK_TESTS_WEB_FILL_H
#define USTACK_TESTS_WEB_FILL_H

#include <stdint.h>

#include "profile/profile.h"

/**
 * struct fill - what is wanted
 * @end_ns: of the last window
 * @windows: of 10 s each
 * @stacks: different ones, about, in all of them together
 * @hostile: a service each for names that mean harm
 */
struct fill {
	uint64_t end_ns;
	unsigned int windows;
	unsigned int stacks;
	int hostile;
};

/* Window @i of it. Return: freed by the caller. */
struct profile *fill_window(const struct fill *f, unsigned int i);

/* Ended by NULL. */
extern const char *const fill_hostile[];

#endif /* USTACK_TESTS_WEB_FILL_H */
