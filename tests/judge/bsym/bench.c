// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures lookups in a BSYM file: a table of SYMBOLS symbols, written by
 * ustack and mapped, and addresses in random order. Every symbol is looked up
 * once, and its name compared.
 *
 * usage: bench SYMBOLS LOOKUPS
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "formats/bsym/build.h"

#define START 0x10000u
#define PER_CODESEG 2000u
/* Millions of lookups per second, of a symbol and an offset, below which the test fails. */
#define LEAST 1.0

/* Return: CPU seconds of this process, as others may use the machine, too. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

static void name_of(uint32_t i, char *ret, size_t room)
{
	snprintf(ret, room, "CClass%u::Function%u(unsigned int, const TDesC8&)", i / 10, i);
}

/* Makes symbols of 64 bytes each, in code segments as large as those of a phone's ROM. */
static void make(uint32_t nr, const char *path, int fd, uint32_t per_codeseg)
{
	const struct bsym_write_options how = { .version = BSYM_VERSION(2, 1) };
	struct bsym_new *n = bsym_new();
	struct bsym_written done;
	char name[80];
	uint32_t i;

	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "\\sys\\bin\\library%u.dll", i / per_codeseg);
		if (!(i % per_codeseg) && bsym_new_codeseg(n, name, false))
			fail("no memory");
		name_of(i, name, sizeof(name));
		if (bsym_new_symbol(n, START + 64 * i, 64, name))
			fail("no memory");
	}
	if (bsym_write(n, &how, fd, path, &done, NULL))
		fail("cannot write");
	printf("%u symbols in %u code segments: %" PRIu64 " bytes, %.1f a symbol\n",
	       done.symbols, done.codesegs, done.bytes, (double)done.bytes / done.symbols);
	bsym_free(n);
}

static void look(const struct bsym *b, uint32_t nr, uint64_t lookups, bool names)
{
	uint64_t state = 88172645463325252ull, i;
	struct bsym_place at;
	double start = now();
	char text[256];
	uint32_t addr;
	double rate;

	for (i = 0; i < lookups; i++) {
		addr = START + (uint32_t)(next(&state) % (64ull * nr));
		if (bsym_find(b, addr, &at) != BSYM_FOUND || at.offset != addr % 64)
			fail("a wrong answer");
		if (names && bsym_name(b, &at.symbol, text, sizeof(text)) <= 0)
			fail("no name");
	}
	rate = (double)lookups / (now() - start) / 1e6;
	printf("  %s: %.2f million lookups a second of a CPU\n",
	       names ? "with the name's text" : "symbol and offset", rate);
	if (!names && rate < LEAST)
		fail("that is too few");
}

/* Checks that every symbol has the name that it was given. */
static void check_names(const struct bsym *b, uint32_t nr)
{
	char want[256], text[256];
	struct bsym_place at;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		name_of(i, want, sizeof(want));
		if (bsym_find(b, START + 64 * i + i % 64, &at) != BSYM_FOUND ||
		    bsym_name(b, &at.symbol, text, sizeof(text)) <= 0 || strcmp(text, want))
			fail("a wrong name");
	}
}

static void run(uint32_t nr, uint64_t lookups, uint32_t per_codeseg)
{
	int fd = memfd_create("bsym", 0);
	char path[64];
	struct bsym *b;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	make(nr, path, fd, per_codeseg);
	if (bsym_open(path, &b, NULL))
		fail("cannot open");
	check_names(b, nr);
	look(b, nr, lookups, false);
	look(b, nr, lookups, true);
	bsym_close(b);
}

int main(int argc, char **argv)
{
	uint32_t nr = argc == 3 ? (uint32_t)strtoul(argv[1], NULL, 0) : 0;

	if (!nr)
		fail("usage: bench SYMBOLS LOOKUPS");
	run(nr, strtoull(argv[2], NULL, 0), PER_CODESEG);
	run(nr, strtoull(argv[2], NULL, 0), nr);
	return 0;
}
