// SPDX-License-Identifier: GPL-2.0-only
/* Asks for the time, so that many samples are in the vDSO, which libc calls. */
#include <time.h>

#include "run.h"

FRAME long clock_hot(clockid_t clock)
{
	struct timespec t = { 0 };
	int i;

	for (i = 0; i < 2000; i++)
		clock_gettime(clock, &t);
	STAY();
	return t.tv_nsec;
}

FRAME long clock_caller(void)
{
	long sum = clock_hot(CLOCK_MONOTONIC);

	/* the vDSO answers this one without a system call, whatever the machine's clock is */
	sum += clock_hot(CLOCK_MONOTONIC_COARSE);
	STAY();
	return sum;
}

FRAME int run_clock(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		clock_caller();
		STAY();
	}
	return 0;
}
