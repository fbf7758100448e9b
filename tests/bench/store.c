// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures a store: bytes compared with gzip'd pprof, time to append, time to query a day.
 *
 * usage: store DIR FILE...
 * \tDIR\tfolder for the stores, which must not exist
 * \tFILE\twindows, in order: profiles in the format of pprof
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "profile/pprof.h"
#include "serve/store/query.h"
#include "serve/store/reader.h"
#include "serve/store/store.h"

#define SECOND 1000000000ull
#define BEGIN (1700000000 * SECOND)
#define DAY 8640u	/* windows of ten seconds */
#define HOUR 360u

static void must(int err, const struct diag *diag)
{
	char text[512];

	if (err >= 0)
		return;
	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "store: %s\n", text);
	exit(1);
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The windows in memory, and their sizes as files. */
struct windows {
	struct profile **p;
	uint32_t nr;
	uint64_t gzip;
	uint64_t samples;
	uint64_t depth;
};

static void load(struct windows *w, int argc, char **argv)
{
	struct diag diag;
	struct stat st;
	uint32_t k;
	int i;

	w->p = calloc((size_t)argc, sizeof(*w->p));
	for (i = 0; i < argc; i++) {
		must(pprof_load(argv[i], &w->p[w->nr], &diag), &diag);
		if (stat(argv[i], &st))
			exit(1);
		w->gzip += (uint64_t)st.st_size;
		w->samples += w->p[w->nr]->nr_samples;
		for (k = 0; k < w->p[w->nr]->nr_samples; k++)
			w->depth += w->p[w->nr]->stacks[w->p[w->nr]->samples[k].stack].depth;
		w->nr++;
	}
	printf("%" PRIu32 " windows: %.0f different stacks in each, %.1f frames in a stack, "
	       "%.0f bytes as gzip'd pprof\n", w->nr, (double)w->samples / w->nr,
	       (double)w->depth / (double)w->samples, (double)w->gzip / w->nr);
}

static void append(struct store *s, const struct windows *w, uint32_t n)
{
	struct profile *p = w->p[n % w->nr];
	struct diag diag;

	p->time_ns = BEGIN + n * 10 * SECOND;
	p->duration_ns = 10 * SECOND;
	must(store_append(s, p, NULL, &diag), &diag);
}

/* Appends each window once, in one segment. */
static void distinct(const char *dir, const struct windows *w)
{
	const struct store_options o = { 0 };
	struct store_info info;
	struct store *s;
	struct diag diag;
	double cpu;
	uint32_t i;

	must(store_open(dir, &o, &s, &diag), &diag);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (i = 0; i < w->nr; i++)
		append(s, w, i);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	store_info(s, &info);
	store_close(s);
	printf("as a segment: %.0f bytes a window, %.1f a sample; %.1f times less than gzip'd pprof; "
	       "%.2f ms to append one\n", (double)info.bytes / w->nr,
	       (double)info.bytes / (double)w->samples, (double)w->gzip / (double)info.bytes,
	       cpu / w->nr * 1e3);
}

/* Appends the windows repeatedly, with a segment for each hour. */
static void make_day(const char *dir, const struct windows *w)
{
	struct store_options hour = { .segment_bytes = 1 }, o = { 0 };
	struct store_info info;
	struct store *s;
	struct diag diag;
	double cpu, wall;
	uint32_t i;

	must(store_open(dir, &o, &s, &diag), &diag);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (i = 0; i < DAY; i++) {
		/* the last segment is full now */
		store_limits(s, i && i % HOUR == 0 ? &hour : &o);
		append(s, w, i);
	}
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = seconds(CLOCK_MONOTONIC);
	store_sync(s, &diag);
	wall = seconds(CLOCK_MONOTONIC) - wall;
	store_info(s, &info);
	store_close(s);
	printf("a day of them: %.1f MB in %" PRIu64 " segments, %.0f bytes a window, "
	       "%.2f ms to append one, %.1f ms to sync\n", (double)info.bytes / 1e6, info.segments,
	       (double)info.bytes / DAY, cpu / DAY * 1e3, wall * 1e3);
}

static int count(const struct store_point *p, void *arg)
{
	++*(uint64_t *)arg;
	return 0;
}

static void ask(const char *what, const char *dir, uint32_t from, uint32_t to, const char *selector,
		const char *series)
{
	struct store_query q = { .from_ns = BEGIN + from * 10 * SECOND,
				 .to_ns = BEGIN + to * 10 * SECOND };
	struct profile *sum = profile_new();
	struct store_coverage c;
	uint64_t points = 0;
	struct rusage u;
	struct diag diag;
	double cpu;

	must(store_selector_new(selector, &q.selector, &diag), &diag);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (series)
		must(store_series(dir, &q, series, "samples", 60 * SECOND, count, &points, &c, &diag),
		     &diag);
	else
		must(store_sum(dir, &q, sum, &c, &diag), &diag);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	getrusage(RUSAGE_SELF, &u);
	printf("%s: %" PRIu64 " windows in %.2f s; %" PRIu32 " stacks, %" PRIu64 " points; "
	       "%ld MB at most so far\n", what, c.windows, cpu, sum->nr_samples, points,
	       u.ru_maxrss / 1024);
	store_selector_free(q.selector);
	profile_free(sum);
}

static void read_windows(const char *dir)
{
	const struct store_position first = { 0, 0 };
	struct store_reader *r;
	struct store_window w;
	uint32_t nr = 0;
	struct diag diag;
	double cpu;
	int n;

	must(store_reader_new(dir, &first, &r, &diag), &diag);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	while ((n = store_reader_next(r, &w, &diag)) > 0)
		nr++;
	must(n, &diag);
	printf("a day, window by window: %" PRIu32 " in %.2f s\n", nr,
	       seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	store_reader_free(r);
}

int main(int argc, char **argv)
{
	struct windows w = { .nr = 0 };
	char dir[4096];

	if (argc < 3)
		return 2;
	load(&w, argc - 2, argv + 2);
	mkdir(argv[1], 0700);
	snprintf(dir, sizeof(dir), "%s/distinct", argv[1]);
	distinct(dir, &w);
	snprintf(dir, sizeof(dir), "%s/day", argv[1]);
	make_day(dir, &w);
	ask("ten minutes", dir, DAY / 2 + 30, DAY / 2 + 90, NULL, NULL);
	ask("an hour", dir, DAY / 2, DAY / 2 + HOUR, NULL, NULL);
	ask("an hour of some", dir, DAY / 2, DAY / 2 + HOUR, "command=~\"[a-m].*\"", NULL);
	ask("a day", dir, 0, DAY, NULL, NULL);
	ask("a day by command", dir, 0, DAY, NULL, "command");
	read_windows(dir);
	return 0;
}
