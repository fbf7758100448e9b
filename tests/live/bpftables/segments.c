// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program with functions in six executable segments, far from one another (see build.mk). Each
 * calls the next one, and the last one works. It has no frame pointers, so that callers are found
 * by tables only.
 *
 * usage: segments SECONDS
 */
#include <stdlib.h>
#include <time.h>

#define IN(nr) __attribute__((noinline, section(".segment" #nr)))

static volatile unsigned long sink;
static double seconds;

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

IN(6) static int sixth(int n)
{
	while (cpu_seconds() < seconds)
		for (int i = 0; i < 100000; i++)
			sink += (unsigned long)(i * n);
	return n;
}

/* The addition after the call keeps the compiler from making a tail call. */
#define FORWARD(nr, name, next)                 \
	IN(nr) static int name(int n)           \
	{                                       \
		char room[16 * (nr)];           \
                                                \
		room[n % sizeof(room)] = (char)n; \
		sink += (unsigned long)room[n % sizeof(room)]; \
		return next(n + 1) + (int)sink; \
	}

FORWARD(5, fifth, sixth)
FORWARD(4, fourth, fifth)
FORWARD(3, third, fourth)
FORWARD(2, second, third)
FORWARD(1, first, second)

int main(int argc, char **argv)
{
	seconds = argc > 1 ? atof(argv[1]) : 1;
	return first(argc) == 0;
}
