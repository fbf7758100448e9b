// SPDX-License-Identifier: GPL-2.0-only
/* Hot leaf functions: no frame at all, and data in the red zone below the stack. */
#include "run.h"

FRAME void leaf_hot(void)
{
	spin(SPIN);
}

FRAME long leaf_red(long x)
{
	volatile long zone[12];

	zone[3] = x;
	spin(SPIN);
	return zone[3];
}

FRAME long leaf_caller(long x)
{
	leaf_hot();
	x = leaf_red(x);
	STAY();
	return x;
}

FRAME int run_leaf(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		leaf_caller(3);
		STAY();
	}
	return 0;
}
