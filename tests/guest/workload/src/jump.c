// SPDX-License-Identifier: GPL-2.0-only
/* longjmp() leaves frames without returning from them. */
#include <setjmp.h>

#include "run.h"

static jmp_buf back;

FRAME void jump_leaf(int far)
{
	spin(SPIN);
	if (far)
		longjmp(back, 1);
}

FRAME void jump_deep(int depth)
{
	volatile char bulk[100];

	bulk[depth] = depth;
	if (depth)
		jump_deep(depth - 1);
	else
		jump_leaf(1);
	STAY();
	bulk[0] = bulk[depth];
}

FRAME void jump_landed(void)
{
	jump_leaf(0);
	STAY();
}

FRAME void jump_round(void)
{
	if (!setjmp(back))
		jump_deep(5);
	else
		jump_landed();
	STAY();
}

FRAME int run_jump(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		jump_round();
		STAY();
	}
	return 0;
}
