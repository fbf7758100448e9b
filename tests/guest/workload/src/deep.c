// SPDX-License-Identifier: GPL-2.0-only
/* Recursion 60 deep through two libraries, which call each other through the PLT. */
#include "libs.h"
#include "run.h"

#define DEEP 60

FRAME int run_deep(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		/* DEEP is even: frames of deep_even and deep_odd alternate */
		deep_even(DEEP);
		STAY();
	}
	return 0;
}
