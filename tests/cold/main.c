// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that is at work from the first moment on, in stacks that are known.
 *
 * usage: PROGRAM MILLISECONDS		of the wall clock
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
