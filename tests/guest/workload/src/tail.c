// SPDX-License-Identifier: GPL-2.0-only
/* Calls in tail position are jumps: the function that jumped is not on the stack. */
#include "libs.h"
#include "run.h"

FRAME long tail_leaf(long x)
{
	spin(SPIN);
	return x;
}

FRAME long tail_two(long x)
{
	spin(SPIN / 8);
	return tail_leaf(x + 1);
}

FRAME long tail_one(long x)
{
	volatile long bulk[40];

	bulk[x & 31] = x;
	spin(SPIN / 8);
	return tail_two(bulk[x & 31]);
}

FRAME long tail_top(long x)
{
	x = tail_one(x);
	STAY();
	x = tail_far(x);	/* libtwo jumps to libone's deep_leaf */
	STAY();
	return x;
}

FRAME int run_tail(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		tail_top(5);
		STAY();
	}
	return 0;
}
