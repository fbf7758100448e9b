// SPDX-License-Identifier: GPL-2.0-only
/* Recursion 60 deep through two libraries, which call one another by PLT. */
#include "libs.h"
#include "run.h"

#define DEEP 60

FRAME int run_deep(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		/* DEEP is even: frames are deep_even and deep_odd in turns */
		deep_even(DEEP);
		STAY();
	}
	return 0;
}
