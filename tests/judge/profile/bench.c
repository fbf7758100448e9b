// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of counting samples whose stacks are known: 30 frames each,
 * from addresses.
 *
 * usage: bench [ADDS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "profile/profile.h"

#define DEPTH 30u
#define STACKS 1000u

/* Stacks leave their callers' path here and there, like those of programs. */
static uint64_t address(uint32_t stack, uint32_t depth)
{
	return 0x400000 + depth * 0x1000 + (depth > 10 ? stack % (depth - 9) : 0) * 16 +
	       (depth == DEPTH - 1 ? stack * 4096 : 0);
}

/* tests/judge/profile/bench measures what runs below this function. */
__attribute__((__noinline__)) void bench_adds(struct profile *p, uint32_t mapping,
					      uint32_t labels, uint32_t nr);
void bench_adds(struct profile *p, uint32_t mapping, uint32_t labels, uint32_t nr)
{
	const int64_t value[PROFILE_MAX_VALUES] = { 1, 10000000 };
	uint32_t i, depth, s;

	for (i = 0; i < nr; i++) {
		for (depth = 0, s = 0; depth < DEPTH; depth++)
			s = profile_stack(p, s, profile_location(p, mapping,
								 address(i % STACKS, depth)));
		profile_add(p, s, labels, value);
	}
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Adds the stacks for the first time, where callgrind does not measure. */
static void learn(struct profile *p, uint32_t mapping, uint32_t labels)
{
	const int64_t value[PROFILE_MAX_VALUES] = { 0 };
	uint32_t i, depth, s;

	for (i = 0; i < STACKS; i++) {
		for (depth = 0, s = 0; depth < DEPTH; depth++)
			s = profile_stack(p, s, profile_location(p, mapping, address(i, depth)));
		profile_add(p, s, labels, value);
	}
}

int main(int argc, char **argv)
{
	uint32_t nr = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
	struct profile *p = profile_new();
	struct profile_mapping map = { .start = 0x400000, .limit = 0x900000 };
	struct profile_label label;
	uint32_t mapping, labels;
	double start, took;

	if (!p)
		return 1;
	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	map.file = profile_string(p, "/usr/bin/prog");
	mapping = profile_mapping(p, &map);
	label = (struct profile_label){ .key = profile_string(p, "pid"), .num = 1 };
	labels = profile_labels(p, &label, 1);
	learn(p, mapping, labels);
	start = seconds();
	bench_adds(p, mapping, labels, nr);
	took = seconds() - start;
	if (profile_error(p) || p->nr_samples != STACKS)
		return 1;
	printf("%" PRIu32 " adds of %u frames: %.0f ns each (%u stacks, %" PRIu32 " frames known)\n",
	       nr, DEPTH, took / nr * 1e9, STACKS, p->nr_stacks - 1);
	profile_free(p);
	return 0;
}
