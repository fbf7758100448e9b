// SPDX-License-Identifier: GPL-2.0-only
/* A callback through libc: frames of qsort() are between ours. */
#include <stdlib.h>

#include "run.h"

#define ITEMS 64

FRAME void cmp_leaf(void)
{
	spin(SPIN / 4);
}

FRAME int cmp(const void *a, const void *b)
{
	cmp_leaf();
	STAY();
	return *(const int *)a - *(const int *)b;
}

FRAME void qsort_caller(void)
{
	int items[ITEMS], i;

	for (i = 0; i < ITEMS; i++)
		items[i] = (i * 37) % ITEMS;
	qsort(items, ITEMS, sizeof(items[0]), cmp);
	STAY();
}

FRAME int run_qsort(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		qsort_caller();
		STAY();
	}
	return 0;
}
