// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process whose mappings change all the time: code is mapped, called, made
 * writable and executable again, moved and unmapped, in two threads.
 *
 * usage: shifty SECONDS [MAPPINGS]: SECONDS of CPU time in each thread;
 * MAPPINGS of code exist in addition and stay
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define PAGE 4096

static double seconds;

/* machine code of a function that returns n + 1 */
#if defined(__x86_64__)
static const unsigned char code[] = { 0x8d, 0x47, 0x01, 0xc3 };
#elif defined(__aarch64__)
static const unsigned char code[] = { 0x00, 0x04, 0x00, 0x11, 0xc0, 0x03, 0x5f, 0xd6 };
#endif

static int map_and_call(int n)
{
	char *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *q;

	if (p == MAP_FAILED)
		abort();
	memcpy(p, code, sizeof(code));
	mprotect(p, 2 * PAGE, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(p, p + sizeof(code));
	n = ((int (*)(int))(void *)p)(n);
	q = mremap(p, 2 * PAGE, 8 * PAGE, MREMAP_MAYMOVE);
	if (q == MAP_FAILED)
		abort();
	n = ((int (*)(int))(void *)q)(n);
	mprotect(q, 2 * PAGE, PROT_READ | PROT_WRITE);
	munmap(q, 8 * PAGE);
	return n;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *work(void *arg)
{
	double end = now() + seconds;
	int n = 0;

	while (now() < end)
		n = map_and_call(n);
	return arg;
}

/*
 * Maps the first page of this file again and again, with a page between each
 * two.
 */
static void map_many(unsigned int nr)
{
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *place = mmap(NULL, 2 * (size_t)nr * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	if (file < 0 || place == MAP_FAILED)
		abort();
	for (i = 0; i < nr; i++)
		if (mmap(place + 2 * (size_t)i * PAGE, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
			 file, 0) == MAP_FAILED)
			abort();
}

int main(int argc, char **argv)
{
	pthread_t other;

	seconds = argc > 1 ? atof(argv[1]) : 1;
	if (argc > 2)
		map_many((unsigned int)atoi(argv[2]));
	if (pthread_create(&other, NULL, work, NULL))
		return 1;
	work(NULL);
	pthread_join(other, NULL);
	return 0;
}
