// SPDX-License-Identifier: GPL-2.0-only
/*
 * The second unit of the program in subject.c.
 */
#include "subject.h"

extern volatile int sink;

static int helper(int x)
{
	return shared_inline(x) ^ 5;
}

int other(int x)
{
	if (x > 3)
		return helper(x - 1);
	sink = x;
	return helper(x) + shared_inline(x + sink);
}
