// SPDX-License-Identifier: GPL-2.0-only
/* A tight loop over the PLT, so that many samples fall on its stubs. */
#include "libs.h"
#include "run.h"

FRAME long plt_loop(long x)
{
	volatile long kept = x;
	int i;

	for (i = 0; i < 4000; i++)
		x = trivial_add(x, i);
	STAY();
	return x + kept;
}

FRAME int run_plt(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		plt_loop(1);
		STAY();
	}
	return 0;
}
