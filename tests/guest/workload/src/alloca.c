// SPDX-License-Identifier: GPL-2.0-only
/* Frames whose size is known only at run time. */
#include <alloca.h>

#include "run.h"

FRAME void alloca_touch(volatile char *p)
{
	p[0]++;
	spin(SPIN);
}

FRAME void alloca_leaf(unsigned int n)
{
	volatile char *p = alloca(n);

	p[n - 1] = 1;
	spin(SPIN);
}

FRAME void alloca_mid(unsigned int n)
{
	volatile char *p = alloca(n);

	alloca_leaf(n / 2);
	alloca_touch(p);
	STAY();
}

FRAME int run_alloca(double seconds)
{
	unsigned long long end = after(seconds);
	unsigned int n = 0;

	while (now_ns() < end) {
		n = (n + 37) % 3000;
		alloca_mid(n + 100);
		STAY();
	}
	return 0;
}
