// SPDX-License-Identifier: GPL-2.0-only
/* Samples of running threads: whether the numbers add up, stacks, epochs. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#define HZ 997

static bool of_pid(const struct sampler_count *c, const void *pid)
{
	return (pid_t)c->tgid == *(const pid_t *)pid;
}

static bool not_of_pid(const struct sampler_count *c, const void *pid)
{
	return !of_pid(c, pid);
}

static uint64_t ms(uint64_t full)
{
	return quick ? full / 4 : full;
}

void test_accounts(void)
{
	struct child c = child_new(work_spin, (uint64_t[]){ ms(2000) });
	struct answer a;
	struct run r;

	run_init(&r, "cpu-clock", HZ, 0);
	run_start(&r);
	child_go(&c);
	a = child_wait(&c);
	run_stop(&r);
	run_check_accounts(&r);
	run_check_clock(&r, run_sum(&r, of_pid, &c.pid, NULL), a.cpu_ns, a.blocked + a.preempted);
	run_free(&r);
	child_end(&c);
}

/*
 * The event of a run so far: the kernel's count, and samples, missed ones
 * included.
 */
struct progress {
	uint64_t events;
	uint64_t weighed;
	uint64_t samples;
	uint64_t left_out;
	uint64_t missed;
};

static void count_samples(struct run *r, struct progress *p)
{
	struct sampler_counter c[64];
	size_t i;

	if (sampler_counters(r->sampler, c))
		die("no counters");
	p->samples = p->missed = p->left_out = 0;
	for (i = 0; i < sampler_nr_counters(); i++) {
		if (c[i].fate != SAMPLER_INFORMATION)
			p->samples += c[i].value;
		if (!strcmp(c[i].name, "missed"))
			p->missed = c[i].value;
		else if (strcmp(c[i].name, "counted") != 0 && c[i].fate != SAMPLER_INFORMATION)
			p->left_out += c[i].value;
	}
}

/*
 * It takes a while to read the counts of all CPUs, and they go on counting. The
 * number of samples at the time of reading is between @first and the samples of
 * the result.
 */
static struct progress progress_of(struct run *r, uint64_t *first)
{
	struct sampler_event_info info;
	struct progress p = { 0 };

	count_samples(r, &p);
	*first = p.samples;
	if (sampler_event_info(r->sampler, 0, &info))
		die("no event");
	p.events = info.events;
	p.weighed = info.weighed;
	count_samples(r, &p);
	return p;
}

/*
 * Samples at one rate for a time. At either end each CPU may have one sample
 * more or less, and a missed sample is reported only when the next one is due.
 */
static void stretch(struct run *r, uint64_t hz, uint64_t time)
{
	uint64_t period = NSEC / hz, cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t least, most, events, first_before, first_after;
	struct progress before, after;

	if (sampler_set_rate(r->sampler, 0, hz, NULL))
		die("no rate of %llu Hz", (unsigned long long)hz);
	before = progress_of(r, &first_before);
	run_until(r, now() + time * 1000000);
	after = progress_of(r, &first_after);
	events = after.events - before.events;
	least = first_after - before.samples;
	most = after.samples - first_before;
	check(least * period <= events + cpus * period && (most + 3 * cpus) * period > events,
	      "%llu to %llu samples at %llu Hz of %llu events", (unsigned long long)least,
	      (unsigned long long)most, (unsigned long long)hz, (unsigned long long)events);
	check(after.missed >= before.missed, "%llu missed, and then %llu",
	      (unsigned long long)before.missed, (unsigned long long)after.missed);
	printf("  %llu Hz: %llu samples, %llu missed\n", (unsigned long long)hz,
	       (unsigned long long)(most - (after.missed - before.missed)),
	       (unsigned long long)(after.missed - before.missed));
}

void test_rate(void)
{
	static const uint64_t hz[] = { 97, 1999, 19, 499 };
	uint64_t slack = NSEC / 997, cpus = sysconf(_SC_NPROCESSORS_CONF), left_out, first;
	struct child c = child_new(work_spin, (uint64_t[]){ ms(8000) });
	struct sampler_event_info info;
	struct run r;
	size_t i;

	run_init(&r, "cpu-clock", 997, 0);
	run_start(&r);
	child_go(&c);
	for (i = 0; i < sizeof(hz) / sizeof(hz[0]); i++) {
		stretch(&r, hz[i], ms(2000));
		slack += NSEC / hz[i];
	}
	check(sampler_set_rate(r.sampler, 1, 99, NULL) == -EINVAL, "a rate of no event");
	check(sampler_set_rate(r.sampler, 0, 0, NULL) == -EINVAL, "no rate");
	child_wait(&c);
	run_stop(&r);
	if (sampler_event_info(r.sampler, 0, &info))
		die("no event");
	check(info.period == NSEC / 499, "a period of %llu", (unsigned long long)info.period);
	/*
	 * each weight belongs to the rate of its sample, and no sample is in
	 * two windows
	 */
	left_out = progress_of(&r, &first).left_out;
	check(r.total_sum <= info.weighed && r.total_sum + left_out * (NSEC / 19) >= info.weighed,
	      "%llu handed out and %llu samples left out, %llu weighed", (unsigned long long)r.total_sum,
	      (unsigned long long)left_out, (unsigned long long)info.weighed);
	check(info.weighed <= info.events + cpus * slack && (quick || info.weighed + cpus * slack +
	      run_counter(&r, "missed") * (NSEC / 19) >= info.events), "%llu of %llu ns",
	      (unsigned long long)info.weighed, (unsigned long long)info.events);
	run_free(&r);
	child_end(&c);
}

static bool is_touch(const struct sampler_count *c, const void *pid)
{
	return of_pid(c, pid) && c->nr_user && in_place(c->user[0], &place_touch);
}

/* Opens perf's own counter of a process's page faults. */
static int fault_counter(pid_t pid)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
					.config = PERF_COUNT_SW_PAGE_FAULTS };
	int fd = syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0);

	if (fd < 0)
		die("perf_event_open: %s", strerror(errno));
	return fd;
}

static void faults_of(bool tables)
{
	const uint64_t pages = ms(40000);
	struct child c = child_new(work_touch, &pages);
	int counter = fault_counter(c.pid);
	unsigned int drains = 0;
	uint64_t faults, touched;
	struct run r;

	run_init(&r, "page-faults", 0, 1);
	r.options.pids = (uint32_t[]){ c.pid };
	r.options.nr_pids = 1;
	r.options.tables = tables;
	run_start(&r);
	child_go(&c);
	/* windows shorter than anybody would use */
	do {
		run_drain(&r);
		drains++;
	} while (child_works(&c));
	child_wait(&c);
	if (read(counter, &faults, sizeof(faults)) != sizeof(faults))
		die("the counter cannot be read");
	close(counter);
	run_stop(&r);
	/*
	 * the kernel may count a page twice; all that it counts must be found
	 */
	run_check_found(&r, run_sum(&r, of_pid, &c.pid, NULL), faults);
	touched = run_sum(&r, is_touch, &c.pid, NULL);
	check(touched + run_lost(&r) >= pages, "%llu faults of %llu pages, %llu lost",
	      (unsigned long long)touched, (unsigned long long)pages,
	      (unsigned long long)run_lost(&r));
	check(touched >= pages / 2, "%llu faults of %llu pages", (unsigned long long)touched,
	      (unsigned long long)pages);
	check(!run_sum(&r, not_of_pid, &c.pid, NULL), "somebody else's faults");
	printf("  %llu faults of %llu, %u windows\n", (unsigned long long)r.total,
	       (unsigned long long)faults, drains);
	run_check_accounts(&r);
	run_free(&r);
	child_end(&c);
}

void test_faults(void)
{
	faults_of(false);
}

void test_faults_tables(void)
{
	faults_of(true);
}

static bool is_spin(const struct sampler_count *c, const void *pid)
{
	return of_pid(c, pid) && c->nr_user && in_place(c->user[0], &place_spin);
}

static bool is_spin_called(const struct sampler_count *c, const void *pid)
{
	return is_spin(c, pid) && c->nr_user > 1 && in_place(c->user[1], &place_spin_caller);
}

struct who {
	pid_t pid;
	uint32_t tid;
	const char *comm;
};

static bool is_who(const struct sampler_count *c, const void *context)
{
	const struct who *w = context;

	return of_pid(c, &w->pid) && (!w->tid || c->tid == w->tid) &&
	       (!w->comm || !strcmp(c->comm, w->comm));
}

void test_threads(void)
{
	struct child c = child_new(work_threads, (uint64_t[]){ ms(2000) });
	struct who first = { c.pid, 0, "first-thread" }, second = { c.pid, 0, "second-thread" };
	uint64_t first_nr, second_nr, all, called;
	struct answer a;
	struct run r;

	run_init(&r, "cpu-clock", HZ, 0);
	r.options.by_thread = true;
	run_start(&r);
	child_go(&c);
	a = child_wait(&c);
	run_stop(&r);
	first.tid = a.tids[0];
	second.tid = a.tids[1];
	first_nr = run_sum(&r, is_who, &first, NULL);
	second_nr = run_sum(&r, is_who, &second, NULL);
	/* both functions ran for the same time */
	run_check_clock(&r, first_nr, ms(2000) * 1000000, a.blocked + a.preempted);
	run_check_clock(&r, second_nr, ms(2000) * 1000000, a.blocked + a.preempted);
	all = run_sum(&r, is_spin, &c.pid, NULL);
	called = run_sum(&r, is_spin_called, &c.pid, NULL);
	/* frame pointers miss the caller while a function is entered or left */
	check(all && called * 100 >= all * 95, "%llu of %llu stacks have the caller",
	      (unsigned long long)called, (unsigned long long)all);
	run_free(&r);
	child_end(&c);
}

static bool is_uncut_deep(const struct sampler_count *c, const void *frames)
{
	size_t i, nr = 0;

	for (i = 0; i < c->nr_user; i++)
		nr += in_place(c->user[i], &place_deep);
	return c->nr_user && in_place(c->user[0], &place_spin) && !c->user_cut &&
	       nr == *(const uint64_t *)frames;
}

static bool is_cut_deep(const struct sampler_count *c, const void *frames)
{
	size_t i;

	if (!c->user_cut || c->nr_user != *(const uint64_t *)frames ||
	    !in_place(c->user[0], &place_spin))
		return false;
	for (i = 2; i < c->nr_user; i++)
		if (!in_place(c->user[i], &place_deep))
			return false;
	return true;
}

static void deep(uint64_t frames, uint64_t expect, bool cut)
{
	struct child c = child_new(work_deep, (uint64_t[]){ frames, ms(1000) });
	uint64_t good, all;
	struct answer a;
	struct run r;

	run_init(&r, "cpu-clock", HZ, 0);
	r.options.pids = (uint32_t[]){ c.pid };
	r.options.nr_pids = 1;
	run_start(&r);
	child_go(&c);
	a = child_wait(&c);
	run_stop(&r);
	run_check_clock(&r, r.total, a.cpu_ns, a.blocked + a.preempted);
	good = run_sum(&r, cut ? is_cut_deep : is_uncut_deep, &expect, NULL);
	all = run_sum(&r, is_spin, &c.pid, NULL);
	check(all * 100 >= r.total * 80, "%llu of %llu samples are of the loop",
	      (unsigned long long)all, (unsigned long long)r.total);
	check(all && good * 100 >= all * 95, "%llu of %llu stacks of %llu frames are whole",
	      (unsigned long long)good, (unsigned long long)all, (unsigned long long)frames);
	run_free(&r);
	child_end(&c);
}

void test_deep(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_stack", "r");
	unsigned int max = 0;

	if (!f || fscanf(f, "%u", &max) != 1)
		die("perf_event_max_stack");
	fclose(f);
	/* just below, at and above the sizes of chunks */
	deep(1, 1, false);
	deep(5, 5, false);
	deep(6, 6, false);
	deep(7, 7, false);
	deep(100, 100, false);
	deep(600, max < SAMPLER_MAX_FRAMES ? max : SAMPLER_MAX_FRAMES, true);
}

struct epoch {
	pid_t pid;
	uint64_t from;
	uint64_t to;
	const char *comm;
};

static bool in_epoch(const struct sampler_count *c, const void *context)
{
	const struct epoch *e = context;

	return (e->comm ? (pid_t)c->tgid == e->pid && !strcmp(c->comm, e->comm) :
			  is_spin(c, &e->pid)) &&
	       c->epoch >= e->from && c->epoch <= e->to;
}

static void epoch_of_map(void)
{
	struct child c = child_new(work_map, (uint64_t[]){ ms(1000) });
	uint64_t before, after, all;
	struct answer a;
	struct run r;

	run_init(&r, "cpu-clock", HZ, 0);
	run_start(&r);
	child_go(&c);
	a = child_wait(&c);
	run_stop(&r);
	all = run_sum(&r, is_spin, &c.pid, NULL);
	before = run_sum(&r, in_epoch, &(struct epoch){ c.pid, 0, 0, NULL }, NULL);
	after = run_sum(&r, in_epoch,
			&(struct epoch){ c.pid, a.numbers[0], a.numbers[1], NULL }, NULL);
	run_check_clock(&r, run_sum(&r, of_pid, &c.pid, NULL), a.cpu_ns, a.blocked + a.preempted);
	check(before && after && before + after == all,
	      "of %llu samples %llu are before the mapping and %llu after it",
	      (unsigned long long)all, (unsigned long long)before, (unsigned long long)after);
	run_free(&r);
	child_end(&c);
}

static void epoch_of_exec(void)
{
	struct child c = child_new(work_exec, (uint64_t[]){ ms(1000) });
	uint64_t all, good, changes;
	struct answer a;
	struct run r;

	run_init(&r, "cpu-clock", HZ, 0);
	run_start(&r);
	child_go(&c);
	a = child_wait(&c);
	run_stop(&r);
	all = run_sum(&r, in_epoch,
		      &(struct epoch){ a.tids[0], 0, UINT64_MAX, "after-exec" }, NULL);
	good = run_sum(&r, in_epoch,
		       &(struct epoch){ a.tids[0], a.numbers[0], a.numbers[1], "after-exec" }, NULL);
	check(all && good == all, "%llu of %llu samples have an epoch of the exec",
	      (unsigned long long)good, (unsigned long long)all);
	/*
	 * where perf_event_mmap() cannot be hooked, mappings made by an exec
	 * are no change of their own
	 */
	changes = run_counter(&r, "mapping-changes");
	check(changes >= 2, "%llu changes by a fork and an exec", (unsigned long long)changes);
	check(!run_counter(&r, "processes-full"), "no room");
	run_free(&r);
	child_end(&c);
}

void test_epoch(void)
{
	epoch_of_map();
	epoch_of_exec();
}

/*
 * Each process has keys of its own, and nobody drains, so the maps become full.
 */
static void full(bool tables)
{
	struct child forks = child_new(work_forks, (uint64_t[]){ 0, 300 });
	uint64_t lost;
	struct run r;

	run_init(&r, "page-faults", 0, 1);
	r.options.memory = 1;
	r.options.tables = tables;
	run_start(&r);
	child_go(&forks);
	child_wait(&forks);
	run_stop(&r);
	run_check_accounts(&r);
	lost = run_counter(&r, "counts-full") + run_counter(&r, "stacks-full");
	check(r.total && lost, "%llu counted, %llu lost", (unsigned long long)r.total,
	      (unsigned long long)lost);
	check(!run_counter(&r, "filtered") && !run_counter(&r, "idle"), "some were left out, without filters");
	check(!run_counter(&r, "busy"), "%llu of maps that were busy",
	      (unsigned long long)run_counter(&r, "busy"));
	run_free(&r);
	child_end(&forks);
}

void test_full(void)
{
	full(false);
}

void test_full_tables(void)
{
	full(true);
}

void test_stress(void)
{
	uint64_t time = quick ? 2000 : 10000, arguments[] = { time, 1 };
	struct child forks[2] = { child_new(work_forks, arguments), child_new(work_forks, arguments) };
	struct answer a[2];
	struct run r;

	run_init(&r, "cpu-clock", 20000, 0);
	r.drop_stacks = true;
	run_start(&r);
	child_go(&forks[0]);
	child_go(&forks[1]);
	run_until(&r, now() + time * 1000000);
	a[0] = child_wait(&forks[0]);
	a[1] = child_wait(&forks[1]);
	run_stop(&r);
	run_check_accounts(&r);
	check(run_counter(&r, "mapping-changes") >= a[0].numbers[0] + a[1].numbers[0],
	      "%llu forks, %llu changes of mappings",
	      (unsigned long long)(a[0].numbers[0] + a[1].numbers[0]),
	      (unsigned long long)run_counter(&r, "mapping-changes"));
	printf("  %llu forks\n", (unsigned long long)(a[0].numbers[0] + a[1].numbers[0]));
	run_free(&r);
	child_end(&forks[0]);
	child_end(&forks[1]);
}
