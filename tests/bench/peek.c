// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures a read of a process's memory: directly, as for processes of root, and by the jail,
 * as for processes of users. It reads its own memory, and pretends to belong to user 1000. The
 * figures are medians of rounds.
 *
 * usage: peek [ROUNDS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host/process/peek.h"
#include "util/clock.h"
#include "util/thread.h"

#define USER 1000u
/* number of reads in a round, and of reads with a pause before each */
#define BURST 2000u
#define APART 50u
/* number of consecutive reads */
#define ROW 12u
/* length of a pause, after which any jail sleeps */
#define PAUSE_NS 2000000
/* size of a read, as for most functions of languages */
#define BYTES 48u
#define MAX_ROUNDS 1001u

static struct peek peek;
static struct peek_memory memory;
static char from[BYTES];

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void read_one(uint32_t payer)
{
	char to[BYTES];

	memory.payer = payer;
	memory.payer_ns = clock_ns(CLOCK_MONOTONIC);
	if (peek_read(&peek, &memory, (uintptr_t)from, to, sizeof(to)))
		return;
	fprintf(stderr, "peek: memory of this process cannot be read\n");
	exit(1);
}

/* Return: nanoseconds of a read. */
static uint64_t burst(uint32_t payer)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	unsigned int i;

	for (i = 0; i < BURST; i++)
		read_one(payer);
	return (clock_ns(CLOCK_MONOTONIC) - begin) / BURST;
}

/*
 * Makes @nr reads after a pause, which does not count. Return: nanoseconds of all, a median of
 * several tries.
 */
static uint64_t after_pause(uint32_t payer, unsigned int nr)
{
	const struct timespec pause = { 0, PAUSE_NS };
	uint64_t ns[APART], begin;
	unsigned int i, k;

	for (i = 0; i < APART; i++) {
		nanosleep(&pause, NULL);
		begin = clock_ns(CLOCK_MONOTONIC);
		for (k = 0; k < nr; k++)
			read_one(payer);
		ns[i] = clock_ns(CLOCK_MONOTONIC) - begin;
	}
	qsort(ns, APART, sizeof(ns[0]), by_number);
	return ns[APART / 2];
}

static uint64_t apart(uint32_t payer)
{
	return after_pause(payer, 1);
}

/* The reads that naming a function of CPython takes, one by one. */
static uint64_t row(uint32_t payer)
{
	return after_pause(payer, ROW);
}

static uint64_t median(uint64_t (*measure)(uint32_t payer), uint32_t payer, unsigned int rounds)
{
	uint64_t ns[MAX_ROUNDS];
	unsigned int i;

	read_one(payer);
	for (i = 0; i < rounds; i++)
		ns[i] = measure(payer);
	qsort(ns, rounds, sizeof(ns[0]), by_number);
	return ns[rounds / 2];
}

static void print(const char *what, uint64_t (*measure)(uint32_t payer), unsigned int rounds)
{
	uint64_t direct = median(measure, 0, rounds), jailed = median(measure, USER, rounds);

	printf("%-24s direct %7" PRIu64 " ns  jailed %7" PRIu64 " ns  ratio %.1f\n", what, direct, jailed,
	       (double)jailed / (double)direct);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? (unsigned int)atoi(argv[1]) : 15;

	/* with the same priority as the threads that read */
	thread_raise_priority();

	if (!rounds || rounds > MAX_ROUNDS || !peek_memory_open(&memory, (uint32_t)getpid()) ||
	    peek_open(&peek)) {
		fprintf(stderr, "peek: it cannot begin\n");
		return 1;
	}
	print("one after the other", burst, rounds);
	print("after a pause", apart, rounds);
	print("twelve after a pause", row, rounds);
	peek_close(&peek);
	peek_memory_close(&memory);
	return 0;
}
