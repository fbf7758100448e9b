// SPDX-License-Identifier: GPL-2.0-only
/* libtwo.so: the other frames of the deep recursion, which have large frames. */
#include "libs.h"

FRAME long deep_odd(long depth)
{
	volatile long bulk[30];
	long x;

	bulk[depth % 30] = depth;
	x = deep_even(depth - 1);
	STAY();
	return x + bulk[depth % 30];
}

/* a jump into another library: only deep_leaf's frame remains */
FRAME long tail_far(long x)
{
	return deep_leaf(x + 2);
}
