// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload NAME [SECONDS]: runs one scenario whose possible stacks are all declared in
 * tests/guest/workload/chains. Without a name, it lists the names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static const struct {
	const char *name;
	int (*run)(double seconds);
} scenarios[] = {
#define SCENARIO(name) { #name, run_##name },
#include "scenarios.h"
#undef SCENARIO
};

const char *workload_self;

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 2;
	size_t i;

	workload_self = argv[0];
	for (i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		int status;

		if (argc < 2) {
			puts(scenarios[i].name);
		} else if (!strcmp(argv[1], scenarios[i].name)) {
			status = scenarios[i].run(seconds);
			STAY();
			return status;
		}
	}
	if (argc < 2)
		return 0;
	fprintf(stderr, "workload: no scenario '%s'\n", argv[1]);
	return 2;
}
