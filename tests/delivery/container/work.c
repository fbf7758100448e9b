// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose stack is known: main() calls work_outer(), that calls work_inner(), which runs
 * until the process is killed. It is built without frame pointers. When it has written a line,
 * its file may be removed.
 */
#include <stdio.h>

static volatile unsigned long count;

__attribute__((noinline)) static unsigned long work_inner(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < n || !n; i++)
		count += i;
	return count;
}

__attribute__((noinline)) static unsigned long work_outer(unsigned long n)
{
	return work_inner(n) + 1;
}

int main(void)
{
	puts("runs");
	fflush(stdout);
	return (int)work_outer(0) + 1;
}
