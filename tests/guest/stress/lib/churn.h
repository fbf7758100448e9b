/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that fork, execute, map, protect, move and exit as fast as they can. Each child
 * checks a result of its own; each parent checks the status of its child.
 */
#ifndef STRESS_CHURN_H
#define STRESS_CHURN_H

#include <sys/types.h>

#include "plug.h"

/* State in shared memory. */
struct churn {
	volatile int stop;
	unsigned long jobs;	/* children with the right status */
	unsigned long wrong;	/* children with a wrong status */
	struct plug plugs[PLUG_KINDS + 1];
	unsigned int nr;
	pid_t workers[64];
};

/* Starts @nr workers; plugs are read from /plugs. */
struct churn *churn_start(unsigned int nr);
/* Stops the workers, and waits. Return: number of workers that did not exit as they should. */
unsigned int churn_stop(struct churn *churn);
/* main() calls this first, because children execute the program again for a job. */
void churn_main(int argc, char **argv);

#endif
