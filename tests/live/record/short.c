// SPDX-License-Identifier: GPL-2.0-only
/*
 * A short program: it spins for a CPU time and exits.
 *
 * usage: short MS
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define apart __attribute__((__noipa__))

static volatile double sink;

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static apart void spin(unsigned int n)
{
	unsigned int i;

	for (i = 1; i < n; i++)
		sink += cos(sink + i);
}

static apart void caller(double until)
{
	while (cpu_ms() < until) {
		spin(500);
		sink += 1;
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	caller(strtod(argv[1], NULL));
	return 0;
}
