// SPDX-License-Identifier: GPL-2.0-only
/* libone.so: every other frame of the deep recursion, its leaf, and a trivial function. */
#include "libs.h"

FRAME long deep_leaf(long x)
{
	spin(SPIN);
	return x + 1;
}

FRAME long deep_even(long depth)
{
	long x;

	x = depth ? deep_odd(depth - 1) : deep_leaf(depth);
	STAY();
	return x + 1;
}

FRAME long trivial_add(long a, long b)
{
	return a + b;
}
