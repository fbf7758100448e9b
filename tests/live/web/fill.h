/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes windows like those of a machine with some services: load that comes and goes, stacks with
 * common roots, some that are not complete, and names that attack a page.
 */
#ifndef USTACK_TESTS_WEB_FILL_H
#define USTACK_TESTS_WEB_FILL_H

#include <stdint.h>

#include "profile/profile.h"

/**
 * struct fill - which windows to make
 * @end_ns: end of the last window, nanoseconds since 1970
 * @windows: number of windows of 10 s each
 * @stacks: about how many different stacks all windows have together
 * @hostile: add a service for each name of fill_hostile
 */
struct fill {
	uint64_t end_ns;
	unsigned int windows;
	unsigned int stacks;
	int hostile;
};

/* Makes window @i. Return: the window, freed by the caller. */
struct profile *fill_window(const struct fill *f, unsigned int i);

/* Names that attack a page, ended by NULL. */
extern const char *const fill_hostile[];

#endif /* USTACK_TESTS_WEB_FILL_H */
