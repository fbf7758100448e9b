// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames with a stricter alignment than the ABI's. If they also have a part whose size is known
 * only at run time, gcc on x86-64 reaches the arguments and the CFA through r10 and keeps r10
 * on the stack: this is DRAP code, which SFrame can express only from V3 on.
 */
#include <alloca.h>

#include "run.h"

FRAME void drap_leaf(volatile char *p, volatile char *q)
{
	p[0] = q[0];
	spin(SPIN);
}

FRAME void drap_aligned(long x)
{
	volatile char line[64] __attribute__((aligned(64)));

	line[x & 63] = x;
	spin(SPIN);
	drap_leaf(line, line);
	STAY();
}

FRAME void drap_alloca(unsigned int n)
{
	volatile char line[64] __attribute__((aligned(64)));
	volatile char *more = alloca(n);

	line[n & 63] = n;
	spin(SPIN);
	drap_leaf(line, more);
	STAY();
	drap_aligned(n);
	STAY();
}

/* arguments on the stack also cause DRAP */
FRAME long drap_args(long a, long b, long c, long d, long e, long f, long g,
		     long h, long i, long j)
{
	volatile char line[128] __attribute__((aligned(128)));

	line[a & 63] = b + c + d + e + f;
	drap_alloca(i & 1023);
	STAY();
	return g + h + j + line[0];
}

FRAME int run_drap(double seconds)
{
	unsigned long long end = after(seconds);
	long n = 0;

	while (now_ns() < end) {
		n += 16;
		drap_args(n, 2, 3, 4, 5, 6, 7, 8, (n & 511) + 16, 10);
		STAY();
	}
	return 0;
}
