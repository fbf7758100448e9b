// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes page faults for some seconds, each from a few calls deep, and does a little work
 * between them. Prints the number of faults, and CPU nanoseconds for each.
 *
 * \tfaults SECONDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define PAGE 4096
#define PAGES 8
#define DEPTH 30
#define BETWEEN 2000

static char *memory;
static long faults;
static volatile long done;

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static int touch(void)
{
	int page, i;

	for (page = 0; page < PAGES; page++) {
		memory[page * PAGE] = 1;
		faults++;
		for (i = 0; i < BETWEEN; i++)
			done++;
	}
	/* not with munmap(), because recorders follow mappings, and this measures samples */
	return madvise(memory, PAGES * PAGE, MADV_DONTNEED);
}

__attribute__((noinline)) static int calls(int depth)
{
	/* the addition keeps the compiler from turning the call into a jump */
	return depth ? calls(depth - 1) + depth : touch();
}

int main(int argc, char **argv)
{
	double start, end;
	long i;

	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (argc != 2 || memory == MAP_FAILED)
		return 1;
	madvise(memory, PAGES * PAGE, MADV_NOHUGEPAGE);
	start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
	end = seconds_of(CLOCK_MONOTONIC) + atof(argv[1]);
	for (i = 0; seconds_of(CLOCK_MONOTONIC) < end; i++)
		calls((int)(i % DEPTH));
	printf("%ld %.1f\n", faults,
	       (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start) * 1e9 / (double)faults);
	return 0;
}
