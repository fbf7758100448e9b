// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two functions of the known stack (cold.h): the leaf, and every other frame of the recursion.
 */
#include "cold.h"

FRAME int cold_leaf(int n)
{
	spin(SPIN / 10);
	return n;
}

FRAME int cold_even(int n)
{
	n = n ? cold_odd(n - 1) : cold_leaf(n);
	STAY();
	return n;
}
