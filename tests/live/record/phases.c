// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose phases are known: each of two threads runs a second in one
 * function and a second in another, by the clock; longer if a busy machine has
 * given it less than half a second of CPU time by then. It prints when each
 * phase began and ended.
 *
 * usage: phases
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define apart __attribute__((__noipa__))
#define SECOND 1000000000ll

static long long clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static long long now(void)
{
	return clock_ns(CLOCK_REALTIME);
}

/* The end of a phase that begins now. */
struct end {
	long long time;
	long long cpu;
};

static struct end phase_end(void)
{
	return (struct end){ now() + SECOND, clock_ns(CLOCK_THREAD_CPUTIME_ID) + SECOND / 2 };
}

static int goes_on(const struct end *e)
{
	return now() < e->time || clock_ns(CLOCK_THREAD_CPUTIME_ID) < e->cpu;
}

static apart unsigned int spin(unsigned int sum)
{
	volatile unsigned int i;

	for (i = 0; i < 10000; i++)
		sum += i;
	return sum;
}

static apart unsigned int first(struct end end)
{
	unsigned int sum = 0;

	while (goes_on(&end))
		sum += spin(sum);
	return sum;
}

static apart unsigned int second(struct end end)
{
	unsigned int sum = 1;

	while (goes_on(&end))
		sum += spin(sum) + 1;
	return sum;
}

static void *phases(void *late)
{
	long long a, b, c;

	usleep(late ? 300000 : 0);
	a = now();
	first(phase_end());
	b = now();
	second(phase_end());
	c = now();
	printf("%ld %lld %lld %lld\n", (long)syscall(SYS_gettid), a, b, c);
	return NULL;
}

int main(void)
{
	static int late;
	pthread_t thread;

	pthread_create(&thread, NULL, phases, &late);
	phases(NULL);
	pthread_join(thread, NULL);
	return 0;
}
