// SPDX-License-Identifier: GPL-2.0-only
/* Measures each operation in this process, in batches (price.h). */
#include "price.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "ops.h"
#include "stress.h"

/* Minimum number of runs in a batch; one batch runs before, to fill caches. */
#define LEAST_RUNS 5

/* After this time, RCU and workqueues have done what earlier work left to them. */
#define SETTLE_US 100000

uint64_t price_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static uint64_t time_of(const struct price_op *op, unsigned int runs)
{
	uint64_t start = price_ns();
	unsigned int i;

	for (i = 0; i < runs; i++)
		op->run();
	return price_ns() - start;
}

/*
 * The mean of a batch is used, not the median of its runs: what the kernel does later, in
 * callbacks of RCU and workqueues, is part of the cost, and with one CPU it falls into the
 * batch.
 */
static uint64_t price_of(const struct price_op *op, unsigned int ms)
{
	uint64_t one, runs;

	op->run();
	one = time_of(op, LEAST_RUNS) / LEAST_RUNS;
	usleep(SETTLE_US);
	runs = ms * 1000000ull / (one + 1);
	if (runs < LEAST_RUNS)
		runs = LEAST_RUNS;
	return time_of(op, runs) / runs;
}

void price_subject(const char *prefix, unsigned int mappings, unsigned int ms)
{
	unsigned int i;

	price_ops_init();
	for (i = 0; i < mappings; i++)
		price_map_code(i);
	for (i = 0; i < price_nr_ops; i++) {
		printf("%s op %u %s: %llu\n", prefix, mappings,
		       price_ops[i].name,
		       (unsigned long long)price_of(&price_ops[i], ms));
		fflush(stdout);
	}
}
