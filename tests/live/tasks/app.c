// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program of Documentation/tasks.md: it reads, computes and writes for SECONDS of CPU
 * time. Compiled with -DNEW, the second release: write_out() takes as much as compute().
 *
 * usage: app SECONDS
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile unsigned int sum;

__attribute__((noinline)) static void spin(unsigned int n)
{
	while (n--)
		sum += n;
}

__attribute__((noinline)) static void compute(void)
{
	spin(60000);
	sum++;
}

__attribute__((noinline)) static void write_out(void)
{
#ifdef NEW
	spin(60000);
#else
	spin(10000);
#endif
	sum++;
}

__attribute__((noinline)) static void touch(void)
{
	const size_t size = 1 << 20;
	char *p = malloc(size);

	if (p)
		memset(p, 1, size);
	/* or the compiler sees that nobody looks, and leaves it all out */
	asm volatile("" : : "r"(p) : "memory");
	free(p);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;

	while (clock() < seconds * CLOCKS_PER_SEC) {
		compute();
		write_out();
		touch();
	}
	return 0;
}
