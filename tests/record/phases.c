// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose phases are known: two threads, of which each is a second in one function and a
 * second in another, by the clock. It prints when each began and ended.
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

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static apart unsigned int spin(unsigned int sum)
{
	volatile unsigned int i;

	for (i = 0; i < 10000; i++)
		sum += i;
	return sum;
}

static apart unsigned int first(long long end)
{
	unsigned int sum = 0;

	while (now() < end)
		sum += spin(sum);
	return sum;
}

static apart unsigned int second(long long end)
{
	unsigned int sum = 1;

	while (now() < end)
		sum += spin(sum) + 1;
	return sum;
}

static void *phases(void *late)
{
	long long a, b, c;

	usleep(late ? 300000 : 0);
	a = now();
	first(a + SECOND);
	b = now();
	second(b + SECOND);
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
