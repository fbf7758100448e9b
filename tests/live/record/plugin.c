// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library that is loaded, used and unloaded: NAME() spends SECONDS of CPU
 * time.
 */
#include <time.h>

void NAME(double seconds)
{
	struct timespec t;
	double end = 0;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		if (end == 0)
			end = (double)t.tv_sec + (double)t.tv_nsec / 1e9 + seconds;
	} while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < end);
}
