// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that no CFI describes, with frame pointers (build-one): assembly, and the output of compilers
 * that make neither. Only their code and their frame records lead to their callers. They are a thread, so
 * that the frames below them have records, too.
 */
#include "bare.h"
#include "workload.h"

unsigned long long bare_end;

FRAME void bare_leaf(void)
{
	spin(SPIN);
}

FRAME long bare_mid(long x)
{
	volatile long bulk[8];

	bulk[x & 7] = x;
	bare_leaf();
	STAY();
	return bulk[x & 7];
}

/* has a frame of a size that its code does not tell */
FRAME long bare_outer(long x)
{
	volatile char bulk[16 + (x & 63)];

	bulk[x & 15] = 1;
	x = bare_mid(x);
	STAY();
	return x + bulk[0];
}

FRAME void *bare_main(void *arg)
{
	while (now_ns() < bare_end) {
		bare_outer(now_ns() & 255);
		STAY();
	}
	return arg;
}
