// SPDX-License-Identifier: GPL-2.0-only
/* The other frames of the recursion (cold.h). */
#include "cold.h"

/* A frame of another form: a large one, whose end cannot be seen from its start. */
FRAME int cold_odd(int n)
{
	long area[40];

	asm volatile("" : : "r"(area) : "memory");
	n = cold_even(n - 1);
	STAY();
	return n;
}
