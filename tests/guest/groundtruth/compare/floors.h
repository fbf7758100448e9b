/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Minimums of complete callchains for each command, from a file of lines
 *
 *   COMMAND SAMPLES PERCENT
 *
 * and comments. A command in the file must have at least SAMPLES samples, and PERCENT of them
 * complete, because a command that did not run has shown nothing. (total) stands for all
 * commands.
 */
#ifndef GT_FLOORS_H
#define GT_FLOORS_H

#include <stdbool.h>
#include <stdint.h>

#include "modes.h"

struct floor {
	char command[16];
	uint64_t samples;
	double percent;
};

/* Reads the file; ends the program if it cannot be read or a line is wrong. */
void floors_load(const char *path);

/* The minimum for a command, or NULL. */
const struct floor *floors_find(const char *command);

/* Prints the results below their minimum. Return: whether there are none. */
bool floors_passed(const struct modes *m);

void floors_release(void);

#endif /* GT_FLOORS_H */
