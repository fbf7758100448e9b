// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures lookups in a GSYM file by the library: only the name, and the whole chain with
 * lines; the first time, while the file's pages are not yet mapped, and warm; and the same
 * through a cache. These are in CPU time, because machines have other work to do. It also
 * measures the first few lookups in a file whose pages are only on disk, in elapsed time.
 *
 * usage: gsym_lookup FILE [N [SEED [print]]]
 * \tN random addresses inside functions (100000); print: only print them
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "formats/gsym/cache.h"
#include "formats/gsym/reader.h"

#define ROUNDS 7
#define NR_COLD 1000
#define CACHE (64u << 20)

static clockid_t clock_of = CLOCK_PROCESS_CPUTIME_ID;

static double now(void)
{
	struct timespec t;

	clock_gettime(clock_of, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

static struct gsym *open_file(const char *path)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym *g;

	if (gsym_open(path, &g, &diag)) {
		fprintf(stderr, "%s: %s\n", path, diag.text);
		exit(1);
	}
	return g;
}

/* Random addresses in the code, so that large functions are chosen more often. */
static uint64_t *choose(const struct gsym *g, size_t nr, uint64_t seed)
{
	uint64_t *ret = malloc(nr * sizeof(*ret)), first, last;
	struct gsym_function f;
	struct gsym_info info;
	size_t i = 0;

	gsym_identify(g, &info);
	if (!ret || !info.nr_functions || gsym_function(g, 0, &f))
		exit(1);
	first = f.start;
	/* the last ones may be far away: the kernel's init code, or data of each CPU */
	if (gsym_function(g, (uint32_t)((uint64_t)info.nr_functions * 9 / 10), &f))
		exit(1);
	last = f.start;
	while (i < nr) {
		ret[i] = first + next(&seed) % (last - first + 1);
		i += gsym_lookup_name(g, ret[i], NULL) != NULL;
	}
	return ret;
}

static uint64_t sum;

static double run_names(const struct gsym *g, const uint64_t *addrs, size_t nr)
{
	double start = now();
	size_t i;

	for (i = 0; i < nr; i++)
		sum += (uintptr_t)gsym_lookup_name(g, addrs[i], NULL);
	return (now() - start) / (double)nr;
}

static double run_chains(const struct gsym *g, const uint64_t *addrs, size_t nr)
{
	static struct gsym_frame frames[GSYM_MAX_FRAMES];
	double start = now();
	size_t i;

	for (i = 0; i < nr; i++)
		sum += (uint64_t)gsym_lookup(g, addrs[i], frames, GSYM_MAX_FRAMES);
	return (now() - start) / (double)nr;
}

static struct gsym_cache *cache;

static double run_cached(const struct gsym *g, const uint64_t *addrs, size_t nr)
{
	static struct gsym_frame frames[GSYM_MAX_FRAMES];
	double start = now();
	size_t i;

	for (i = 0; i < nr; i++)
		sum += (uint64_t)gsym_cache_lookup(cache, addrs[i], frames, GSYM_MAX_FRAMES);
	return (now() - start) / (double)nr;
}

/* Uses an empty cache each time, and measures emptying it, too. */
static double run_cached_anew(const struct gsym *g, const uint64_t *addrs, size_t nr)
{
	double ns;

	if (gsym_cache_new(g, CACHE, &cache))
		exit(1);
	ns = run_cached(g, addrs, nr);
	gsym_cache_free(cache);
	return ns;
}

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

typedef double (*run_fn)(const struct gsym *g, const uint64_t *addrs, size_t nr);

static double best(run_fn run, const struct gsym *g, const uint64_t *addrs, size_t nr)
{
	double least = run(g, addrs, nr), ns;
	int i;

	for (i = 1; i < ROUNDS; i++) {
		ns = run(g, addrs, nr);
		least = ns < least ? ns : least;
	}
	return least;
}

/* Lookups in a file that is not in memory. */
static double run_cold(run_fn run, const char *path, const uint64_t *addrs, size_t nr)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct gsym *g;
	double ns;

	if (fd < 0 || fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		exit(1);
	close(fd);
	clock_of = CLOCK_MONOTONIC;
	g = open_file(path);
	ns = run(g, addrs, nr < NR_COLD ? nr : NR_COLD);
	gsym_close(g);
	clock_of = CLOCK_PROCESS_CPUTIME_ID;
	return ns;
}

static int print_addrs(const uint64_t *addrs, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		printf("0x%" PRIx64 "\n", addrs[i]);
	return 0;
}

int main(int argc, char **argv)
{
	size_t nr = argc > 2 ? strtoul(argv[2], NULL, 0) : 100000;
	uint64_t *addrs;
	struct gsym *g;
	double start, opened, cold;

	if (argc < 2 || !nr) {
		fprintf(stderr, "usage: gsym_lookup FILE [N [SEED [print]]]\n");
		return 2;
	}
	g = open_file(argv[1]);
	addrs = choose(g, nr, argc > 3 ? strtoull(argv[3], NULL, 0) | 1 : 1);
	gsym_close(g);
	if (argc > 4)
		return print_addrs(addrs, nr);
	printf("cold: name %.0f ns, ", run_cold(run_names, argv[1], addrs, nr));
	printf("whole chain %.0f ns\n", run_cold(run_chains, argv[1], addrs, nr));
	/* mapped again: its pages are in memory, but not in the process */
	start = now();
	g = open_file(argv[1]);
	opened = now() - start;
	cold = run_chains(g, addrs, nr);
	printf("open %.1f us; a lookup: name %.0f ns, whole chain %.0f ns, the first time %.0f ns\n",
	       opened / 1e3, best(run_names, g, addrs, nr), best(run_chains, g, addrs, nr), cold);
	if (gsym_cache_new(g, CACHE, &cache))
		return 1;
	run_cached(g, addrs, nr);
	run_cached(g, addrs, nr);
	printf("with a cache: %.0f ns, ", best(run_cached, g, addrs, nr));
	gsym_cache_free(cache);
	printf("an empty one: %.0f ns, ", best(run_cached_anew, g, addrs, nr));
	qsort(addrs, nr, sizeof(*addrs), by_address);
	printf("of ascending addresses: %.0f ns\n", best(run_cached_anew, g, addrs, nr));
	gsym_close(g);
	free(addrs);
	return !sum;
}
