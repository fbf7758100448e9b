// SPDX-License-Identifier: GPL-2.0-only
/*
 * Known answers: three quarters of its CPU time are spent in heavy(), one
 * quarter in light(). The choice of the next one is random, so that no sampling
 * period keeps step with it. Each is called by its caller_of_...(); inlined()
 * is in both.
 *
 * usage: work SECONDS [exec]
 * With "exec" it executes itself once more, half way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline __attribute__((always_inline)) void inlined(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < n; i++)
		sink += i * i;
}

__attribute__((noinline)) void heavy(void)
{
	inlined(100000);
	__asm__ volatile("");
}

__attribute__((noinline)) void light(void)
{
	inlined(100000);
	__asm__ volatile("");
}

__attribute__((noinline)) void caller_of_heavy(void)
{
	heavy();
	__asm__ volatile("");
}

__attribute__((noinline)) void caller_of_light(void)
{
	light();
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;

	while (cpu_seconds() < seconds) {
		if (rand() % 4)
			caller_of_heavy();
		else
			caller_of_light();
	}
	if (argc > 2 && !strcmp(argv[2], "exec"))
		execl("/proc/self/exe", argv[0], argv[1], (char *)NULL);
	return 0;
}
