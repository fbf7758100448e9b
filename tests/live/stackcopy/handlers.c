// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signal handlers that do work, callbacks from the C library, and recursion,
 * whose depth times 64 bytes is its stack.
 *
 * usage: handlers SECONDS [DEPTH]: SECONDS of CPU time, so that other load
 * changes no count
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define VALUES 2000

static volatile unsigned long sink;

static __attribute__((noinline)) void spin(unsigned int n)
{
	char bytes[64];

	while (n--) {
		memset(bytes, (int)n, sizeof(bytes));
		sink += (unsigned char)bytes[n & 63];
	}
}

static void handler(int sig)
{
	(void)sig;
	spin(20000);
}

static __attribute__((noinline)) unsigned long descend(unsigned int n)
{
	unsigned long below;
	char pad[40];

	memset(pad, (int)n, sizeof(pad));
	if (!n) {
		spin(200000);
		return sink;
	}
	below = descend(n - 1);
	/* otherwise compilers turn this into a loop */
	__asm__ volatile("" : : "r"(pad) : "memory");
	return below + (unsigned char)pad[n & 31];
}

static int compare(const void *a, const void *b)
{
	spin(20);
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
	const struct itimerval timer = { { 0, 2000 }, { 0, 2000 } };
	struct sigaction action = { .sa_handler = handler };
	unsigned int depth = argc > 2 ? (unsigned int)atoi(argv[2]) : 200, i;
	double end = argc > 1 ? atof(argv[1]) : 1;
	int values[VALUES];

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	while ((double)clock() / CLOCKS_PER_SEC < end) {
		for (i = 0; i < VALUES; i++)
			values[i] = rand();
		qsort(values, VALUES, sizeof(*values), compare);
		descend(depth);
	}
	return 0;
}
