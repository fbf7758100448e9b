/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often a test repeats itself. The plain variant does all rounds. Under ASan a round takes up
 * to ten times as long, and an access that is wrong is wrong in an early round, too; so that
 * variant does a part of them, except in the nightly target unit-all (UNIT_ROUNDS=all).
 */
#ifndef USTACK_UNIT_ROUNDS_H
#define USTACK_UNIT_ROUNDS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool rounds_are_all(void)
{
#ifdef __SANITIZE_ADDRESS__
	const char *said = getenv("UNIT_ROUNDS");

	return said && !strcmp(said, "all");
#else
	return true;
#endif
}

static inline unsigned int rounds(unsigned int all, unsigned int part)
{
	return rounds_are_all() ? all : part;
}

/* Leaves the test of this name out where not all rounds are done. */
#define rounds_leave_out(name) \
	do { \
		if (!rounds_are_all()) \
			cmocka_set_skip_filter(name); \
	} while (0)

#endif /* USTACK_UNIT_ROUNDS_H */
