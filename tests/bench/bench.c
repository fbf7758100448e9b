// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks the same stacks with every method, interleaved, and prints the cost of a frame. It
 * prints nothing before the core's pcs equal those of libgcc on every stack.
 *
 * usage: bench [-n STACKS] [-r ROUNDS] [-m METHOD] [-s] [-v]
 * \t-s  one stack, again and again
 * \t-m  only this method, without verification (for callgrind)
 * \t-v  only verification
 */
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "image.h"
#include "space.h"
#include "methods.h"

/* @own: number of the method's own frames that it delivers before the probe's */
static const struct method {
	const char *name;
	bench_walk *walk;
	unsigned int own;
	bool fp;
} methods[] = {
	{ "ustack", walk_ustack, 0, false },
	{ "ustack-step", walk_ustack_step, 0, false },
	{ "ustack-pointer", walk_ustack_pointer, 0, false },
	{ "ustack-kernel", walk_ustack_kernel, 0, false },
	{ "ustack-retpoline", walk_ustack_retpoline, 0, false },
	{ "frame-pointers", walk_fp, 0, true },
	{ "unw_backtrace", walk_libunwind, 1, false },
	{ "libgcc", walk_libgcc, 1, false },
	{ "libdwfl", walk_libdwfl, 0, false },
};

#define NR_METHODS (sizeof(methods) / sizeof(methods[0]))
#define MAX_ROUNDS 99
#define DEPTH 27

struct bench_space bench_space;

static struct options {
	unsigned int stacks;
	unsigned int rounds;
	const char *only;
	bool same;
	bool verify_only;
} opt = { .stacks = 10000, .rounds = 15 };

static u64 route_of(unsigned int i)
{
	u64 x = (opt.same ? 1 : i + 1) * 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* 27 to 30 calls deep; the outermost frame is that of this function. */
static noinline void run_stack(const struct method *m, unsigned int i,
			       struct probe *p)
{
	u64 route = route_of(i);
	unsigned int depth = DEPTH - 3 + (route >> 62);

	p->walk = m->walk;
	/* probe, innermost to f0, the graph's entry, and this function */
	p->max = 1 + depth + 1 + 1 + 1 + m->own;
	if (m->fp)
		bench_graph_fp(p, route, depth);
	else
		bench_graph_nofp(p, route, depth);
	__asm__ volatile("" : : : "memory");
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *v, unsigned int n)
{
	qsort(v, n, sizeof(*v), by_value);
	return v[n / 2];
}

static double ns_per_tick;
static double empty_ticks;	/* ticks of a walk that does nothing */

static void calibrate(void)
{
	u64 ns = bench_now_ns(), ticks = bench_ticks(), t;
	static double v[10001];
	unsigned int i;

	for (i = 0; i < 10001; i++) {
		t = bench_ticks();
		v[i] = (double)(bench_ticks() - t);
	}
	empty_ticks = median(v, 10001);
	while (bench_now_ns() - ns < 100000000)
		;
	ns_per_tick = (double)(bench_now_ns() - ns) /
		      (double)(bench_ticks() - ticks);
}

static unsigned long long interrupted;

/*
 * Mean ns per frame over all stacks. A walk that took eight times the median was interrupted
 * and is left out.
 */
static double run_round(const struct method *m, double *each)
{
	static double sorted[1000000];
	unsigned int i, frames = 0;
	double sum = 0, limit;
	struct probe p;

	for (i = 0; i < opt.stacks; i++) {
		run_stack(m, i, &p);
		each[i] = ((double)p.ticks - empty_ticks) / p.n;
		sorted[i] = each[i];
	}
	limit = 8 * median(sorted, opt.stacks);
	for (i = 0; i < opt.stacks; i++) {
		if (each[i] > limit) {
			interrupted++;
			continue;
		}
		sum += each[i];
		frames++;
	}
	return sum / frames * ns_per_tick;
}

/* The pcs must be the same from the probe's caller on. */
static bool same_stack(const struct method *a, const struct probe *pa,
		       const struct method *b, const struct probe *pb)
{
	unsigned int i, n = pa->n - a->own;

	if (pa->n != pa->max || pb->n - b->own != n)
		return false;
	for (i = 1; i < n; i++)
		if (pa->pcs[a->own + i] != pb->pcs[b->own + i])
			return false;
	return true;
}

static int by_pc(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void print_diversity(const struct method *m)
{
	unsigned int i, j, n = 0, distinct = 0, lines = 0;
	u64 *pcs = malloc(opt.stacks * BENCH_MAX_FRAMES * sizeof(*pcs));
	struct probe p;

	for (i = 0; i < opt.stacks; i++) {
		run_stack(m, i, &p);
		for (j = 0; j < p.n; j++)
			pcs[n++] = p.pcs[j];
	}
	qsort(pcs, n, sizeof(*pcs), by_pc);
	for (i = 0; i < n; i++) {
		distinct += !i || pcs[i] != pcs[i - 1];
		lines += !i || pcs[i] >> 8 != pcs[i - 1] >> 8;
	}
	printf("# %u stacks, %.1f frames each, %u distinct pcs in %u blocks of 256 bytes\n",
	       opt.stacks, (double)n / opt.stacks, distinct, lines);
	free(pcs);
}

static const struct method *find_method(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_METHODS; i++)
		if (!strcmp(methods[i].name, name))
			return &methods[i];
	fprintf(stderr, "no method %s\n", name);
	exit(2);
}

static bool verify(void)
{
	const struct method *truth = find_method("libgcc");
	unsigned int i, k, bad[NR_METHODS] = { 0 };
	struct probe a, b;

	for (i = 0; i < opt.stacks; i++) {
		run_stack(truth, i, &a);
		for (k = 0; k < NR_METHODS; k++) {
			if (methods[k].fp)
				continue;
			run_stack(&methods[k], i, &b);
			bad[k] += !same_stack(truth, &a, &methods[k], &b);
		}
	}
	for (k = 0; k < NR_METHODS; k++)
		if (bad[k])
			printf("%s: %u of %u stacks differ from libgcc's\n",
			       methods[k].name, bad[k], opt.stacks);
	for (k = 0; k < NR_METHODS; k++)
		if (bad[k] && !strncmp(methods[k].name, "ustack", 6))
			return false;
	printf("# %u of %u stacks are those of libgcc, pc by pc\n", opt.stacks,
	       opt.stacks);
	return true;
}

static void measure(void)
{
	static double ns[NR_METHODS][MAX_ROUNDS];
	double *each = malloc(opt.stacks * sizeof(*each)), mid[NR_METHODS];
	unsigned int r, k;

	for (k = 0; k < NR_METHODS; k++)	/* warm up the caches of the methods */
		run_round(&methods[k], each);
	interrupted = 0;
	for (r = 0; r < opt.rounds; r++)
		for (k = 0; k < NR_METHODS; k++)
			ns[k][r] = run_round(&methods[k], each);
	for (k = 0; k < NR_METHODS; k++)
		mid[k] = median(ns[k], opt.rounds);
	printf("# %u rounds, %llu walks interrupted and left out, empty walk %.1f ns\n",
	       opt.rounds, interrupted, empty_ticks * ns_per_tick);
	printf("%-18s %9s %17s %8s %8s\n", "method", "ns/frame", "min-max",
	       "x fp", "x unw_b");
	for (k = 0; k < NR_METHODS; k++)
		printf("%-18s %9.2f %8.2f-%8.2f %8.2f %8.2f\n", methods[k].name,
		       mid[k], ns[k][0], ns[k][opt.rounds - 1],
		       mid[k] / mid[find_method("frame-pointers") - methods],
		       mid[k] / mid[find_method("unw_backtrace") - methods]);
	free(each);
}

/* For callgrind, which counts the method's own function. */
static void run_only(const char *name)
{
	const struct method *m = find_method(name);
	unsigned long frames = 0;
	unsigned int i, r;
	struct probe p;

	for (r = 0; r < opt.rounds; r++)
		for (i = 0; i < opt.stacks; i++) {
			run_stack(m, i, &p);
			frames += p.n;
		}
	printf("%lu\n", frames);
}

static int add_image(struct dl_phdr_info *info, size_t size, void *arg)
{
	const struct bench_image *image = arg;
	const ElfW(Phdr) *ph;
	struct bench_map *map;
	unsigned int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		ph = &info->dlpi_phdr[i];
		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X) ||
		    bench_space.nr == 64)
			continue;
		map = &bench_space.maps[bench_space.nr++];
		map->start = info->dlpi_addr + ph->p_vaddr;
		map->len = ph->p_memsz;
		/* The program itself has an empty name in the list of mappings. */
		if (info->dlpi_name[0])
			continue;
		map->window = (struct ustack_window){
			.table = image->table,
			.start = map->start,
			.len = map->len,
			.rel = ph->p_vaddr - image->table->base,
		};
		ustack_window_clip(&map->window);
	}
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct bench_map *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void open_space(const struct bench_image *image)
{
	pthread_attr_t attr;
	size_t size;
	void *addr;

	dl_iterate_phdr(add_image, (void *)image);
	qsort(bench_space.maps, bench_space.nr, sizeof(bench_space.maps[0]),
	      by_start);
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &addr, &size);
	bench_space.stack_lo = (u64)addr;
	bench_space.stack_hi = (u64)addr + size;
	pthread_attr_destroy(&attr);
}

static void parse(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "n:r:m:sv")) != -1) {
		switch (c) {
		case 'n': opt.stacks = (unsigned int)atoi(optarg); break;
		case 'r': opt.rounds = (unsigned int)atoi(optarg); break;
		case 'm': opt.only = optarg; break;
		case 's': opt.same = true; break;
		case 'v': opt.verify_only = true; break;
		default: exit(2);
		}
	}
	if (!opt.stacks || opt.stacks > 1000000 || !opt.rounds ||
	    opt.rounds > MAX_ROUNDS)
		exit(2);
}

int main(int argc, char **argv)
{
	static struct bench_image image;

	parse(argc, argv);
	if (!bench_image_load(&image, "/proc/self/exe", NULL) || !peers_open())
		return 1;
	open_space(&image);
	if (opt.only) {
		run_only(opt.only);
		return 0;
	}
	calibrate();
	if (!verify())
		return 1;
	if (opt.verify_only)
		return 0;
	print_diversity(&methods[0]);
	measure();
	return 0;
}
