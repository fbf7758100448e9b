// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times of samples: there are as many samples as without, each within the time
 * that its process ran.
 */
#include <stdlib.h>

#include "test.h"

static int by_time(const void *x, const void *y)
{
	const struct sampler_count *a = x, *b = y;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->time < b->time ? -1 : a->time > b->time;
}

/*
 * @ret: counts of one process, sorted by thread and time. Return: their number.
 */
static size_t of_process(const struct run *r, pid_t pid, struct sampler_count **ret)
{
	size_t i, nr = 0;

	*ret = calloc(r->nr + 1, sizeof(**ret));
	if (!*ret)
		die("no memory");
	for (i = 0; i < r->nr; i++)
		if ((pid_t)r->counts[i].tgid == pid)
			(*ret)[nr++] = r->counts[i];
	qsort(*ret, nr, sizeof(**ret), by_time);
	return nr;
}

/* Checks that all are within a time, and that none occurs twice. */
static void check_times(const struct sampler_count *c, size_t nr, uint64_t from, uint64_t to)
{
	size_t i, outside = 0, many = 0, twice = 0;

	for (i = 0; i < nr; i++) {
		outside += c[i].time < from || c[i].time > to;
		many += c[i].count != 1;
		twice += i && c[i].tid == c[i - 1].tid && c[i].time == c[i - 1].time;
	}
	check(!outside, "%zu of %zu samples are not of the time that the child ran", outside, nr);
	check(!many && !twice, "of %zu samples %zu are more than one, %zu of another's time", nr, many, twice);
}

static void on_the_cpu(void)
{
	uint64_t ms = quick ? 500 : 2000, began, ended;
	struct child c = child_new(work_threads, (uint64_t[]){ ms });
	struct sampler_count *counts;
	struct answer a;
	struct run r;
	size_t nr;

	run_init(&r, "cpu-clock", 997, 0);
	r.options.by_thread = true;
	r.options.timestamps = true;
	run_start(&r);
	began = now();
	child_go(&c);
	a = child_wait(&c);
	run_stop(&r);
	/* after the child reports its stop, it is on its CPU for a while */
	ended = now();
	run_check_accounts(&r);
	nr = of_process(&r, c.pid, &counts);
	run_check_clock(&r, nr, a.cpu_ns, a.blocked + a.preempted);
	check_times(counts, nr, began, ended);
	free(counts);
	run_free(&r);
	child_end(&c);
}

/*
 * Checks waits that follow one another: each ends at least its own length after
 * the previous one.
 */
static void off_the_cpu(void)
{
	const uint64_t times = 20, ms = 10;
	struct child c = child_new(work_sleep, (uint64_t[]){ times, ms });
	size_t nr, i, wrong = 0;
	struct sampler_count *counts;
	uint64_t began, worked, ended;
	uint32_t pid = c.pid;
	struct run r;

	run_init(&r, "off-cpu", 0, 0);
	r.options.pids = &pid;
	r.options.nr_pids = 1;
	r.options.by_thread = true;
	r.options.timestamps = true;
	run_start(&r);
	began = now();
	child_go(&c);
	child_wait(&c);
	worked = now();
	run_stop(&r);
	ended = now();
	nr = of_process(&r, c.pid, &counts);
	/* the last wait, which the child is still in, ends with the sampler */
	while (nr && counts[nr - 1].pending) {
		nr--;
		check(counts[nr].time >= worked && counts[nr].time <= ended,
		      "a wait that goes on is not of the time when the sampler stopped");
	}
	for (i = 1; i < nr; i++)
		wrong += counts[i].time - counts[i].sum < counts[i - 1].time;
	check(nr + run_lost(&r) >= times / 2 && !wrong, "%zu waits, of which %zu began before the one before "
	      "ended", nr, wrong);
	/* the first wait was the stop before the child began */
	check_times(counts, nr, began, ended);
	free(counts);
	run_free(&r);
	child_end(&c);
}

void test_times(void)
{
	on_the_cpu();
	off_the_cpu();
}
