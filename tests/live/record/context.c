// SPDX-License-Identifier: GPL-2.0-only
/*
 * Publishes OpenTelemetry's process context, computes, publishes another one
 * and computes again, beside a child that publishes none.
 *
 * usage: context memfd|anonymous SECONDS SECONDS of CPU time for each of the
 * two. The child runs as "heir". Prints "unnamed" and exits with status 3 if
 * the kernel has no names for anonymous memory.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

struct header {
	char signature[8];
	uint32_t version;
	uint32_t size;
	uint64_t published;
	const char *payload;
};

/* Context { resource { attributes { "service.name", "..." }, { "service.version", "1" } } } */
static const char first[] = "\x0a\x35\x0a\x18\x0a\x0cservice.name\x12\x08\x0a\x06" "bakery"
			    "\x0a\x19\x0a\x0fservice.version\x12\x06\x0a\x04" "v1.0";
static const char second[] = "\x0a\x1a\x0a\x18\x0a\x0cservice.name\x12\x08\x0a\x06" "market";
static volatile unsigned long sum;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void publish(struct header *h, const char *payload, size_t size)
{
	h->published = 0;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	h->payload = payload;
	h->size = (uint32_t)size;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	h->published = now();
}

static struct header *map(int memfd)
{
	struct header *h;
	int fd = memfd ? memfd_create("OTEL_CTX", MFD_CLOEXEC) : -1;

	if (memfd && (fd < 0 || ftruncate(fd, sizeof(*h))))
		exit(1);
	h = mmap(NULL, sizeof(*h), PROT_READ | PROT_WRITE, MAP_PRIVATE | (memfd ? 0 : MAP_ANONYMOUS), fd, 0);
	if (h == MAP_FAILED || madvise(h, sizeof(*h), MADV_DONTFORK))
		exit(1);
	if (memfd)
		close(fd);
	else if (prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, h, sizeof(*h), "OTEL_CTX")) {
		puts("unnamed");
		exit(3);
	}
	memcpy(h->signature, "OTEL_CTX", 8);
	h->version = 2;
	return h;
}

static void compute(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		sum++;
}

int main(int argc, char **argv)
{
	double seconds = argc == 3 ? atof(argv[2]) : 0;
	struct header *h;

	if (argc != 3)
		return 2;
	h = map(!strcmp(argv[1], "memfd"));
	publish(h, first, sizeof(first) - 1);
	if (!fork()) {
		prctl(PR_SET_NAME, "heir");
		compute(seconds);
		_exit(0);
	}
	compute(seconds);
	publish(h, second, sizeof(second) - 1);
	compute(seconds);
	return wait(NULL) < 0;
}
