/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that fork, execute, map, protect, move and exit as fast as they
 * can. Each child checks a result of its own; each parent its child's status.
 */
#ifndef STRESS_CHURN_H
#define STRESS_CHURN_H

#include <sys/types.h>

#include "plug.h"

/* In shared memory. */
struct churn {
	volatile int stop;
	unsigned long jobs;	/* children that were right */
	unsigned long wrong;	/* that were not */
	struct plug plugs[PLUG_KINDS + 1];
	unsigned int nr;
	pid_t workers[64];
};

/* Starts @nr workers; plugs come from /plugs. */
struct churn *churn_start(unsigned int nr);
/* Stops them, and waits. Return: workers that did not exit as they should. */
unsigned int churn_stop(struct churn *churn);
/* main() calls this first: children execute the program again for a job. */
void churn_main(int argc, char **argv);

#endif
