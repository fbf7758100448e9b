/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Floors of complete callchains, command by command, from a file of lines
 *
 *	COMMAND SAMPLES PERCENT
 *
 * and comments. A command that is named must have had SAMPLES samples at least, and
 * PERCENT of them complete: what did not run has shown nothing. (total) is all of them.
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

/* Reads the file; ends the program if it cannot be read or a line is not right. */
void floors_load(const char *path);

/* The command's floor, or NULL. */
const struct floor *floors_find(const char *command);

/* Prints what is below. Return: whether nothing is. */
bool floors_passed(const struct modes *m);

void floors_release(void);

#endif /* GT_FLOORS_H */
