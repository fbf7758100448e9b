// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that works from its first moment on, in known stacks.
 *
 * usage: PROGRAM MILLISECONDS\t\tof elapsed time
 */
#include <stdlib.h>

#include "cold.h"

FRAME int cold_run(unsigned long long end)
{
	do {
		cold_even(COLD_DEPTH);
		STAY();
	} while (now_ns() < end);
	return 0;
}

int main(int argc, char **argv)
{
	int status = cold_run(after(argc > 1 ? atof(argv[1]) / 1e3 : 0));

	STAY();
	return status;
}
