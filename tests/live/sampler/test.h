/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the sampler's tests: children whose answers are known, and a run of
 * the sampler.
 */
#ifndef USTACK_TESTS_SAMPLER_H
#define USTACK_TESTS_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/sampler/sampler.h"

#define NSEC 1000000000ull

extern bool quick;		/* -q: shorter, but with the same checks */
extern const char *self;	/* path of this program */

/* A failed check is printed and makes the test fail, but the test goes on. */
#define check(condition, ...) check_at(condition, __FILE__, __LINE__, #condition, __VA_ARGS__)
__attribute__((__format__(__printf__, 5, 6)))
void check_at(bool ok, const char *file, int line, const char *text, const char *fmt, ...);
__attribute__((__noreturn__, __format__(__printf__, 1, 2)))
void die(const char *fmt, ...);
/* Ends the test as skipped, with a reason. */
__attribute__((__format__(__printf__, 1, 2)))
void skip(const char *fmt, ...);

uint64_t now(void);

/*
 * The report of a child when its work is done.
 *
 * @cpu_ns: CPU time of its work in nanoseconds, over all threads, as the kernel
 *	accounted it
 * @blocked: how often one of its threads waited for something
 * @preempted: how often one of its threads had to wait for a CPU
 */
struct answer {
	uint64_t numbers[8];
	uint32_t tids[4];
	uint64_t cpu_ns;
	uint64_t blocked;
	uint64_t preempted;
};

struct child {
	pid_t pid;
	int done;
};

/*
 * A child is stopped until child_go(), works, reports its answer, and is
 * stopped until child_end(). child_wait() waits until it has stopped again, and
 * gets the answer. While it is stopped no code of it runs, so counters that are
 * opened and read meanwhile, in any order, count the same events.
 */
typedef void (*child_work)(const uint64_t *arguments, struct answer *ret);

struct child child_new(child_work work, const uint64_t *arguments);
void child_go(const struct child *c);
bool child_works(const struct child *c);
struct answer child_wait(const struct child *c);
void child_end(const struct child *c);

/* The works; work.c says what each does and what it answers. */
void work_spin(const uint64_t *ms, struct answer *ret);
void work_threads(const uint64_t *ms, struct answer *ret);
void work_touch(const uint64_t *pages, struct answer *ret);
void work_sleep(const uint64_t *times_ms, struct answer *ret);
void work_two_sleeps(const uint64_t *times_ms, struct answer *ret);
void work_pause(const uint64_t *unused, struct answer *ret);
void work_call(const uint64_t *times, struct answer *ret);
void work_static_probe(const uint64_t *times, struct answer *ret);
void work_getpriority(const uint64_t *times, struct answer *ret);
void work_map(const uint64_t *ms, struct answer *ret);
void work_exec(const uint64_t *ms, struct answer *ret);
void work_forks(const uint64_t *ms_least, struct answer *ret);
void work_fork_one(const uint64_t *ms, struct answer *ret);
void work_deep(const uint64_t *frames_ms, struct answer *ret);
void work_deep_calls(const uint64_t *frames_times, struct answer *ret);
int spin_after_exec(const char *ms, const char *fd);

/* Bounds of the functions that the works run, and of their callers. */
extern const struct place {
	const char *name;
	const void *start;
	const void *end;
} place_spin, place_spin_caller, place_touch, place_sleep, place_call, place_static_probe, place_deep;

bool in_place(uint64_t pc, const struct place *p);
/* Return: whether one of the first user frames is in a place. */
bool is_at(const struct sampler_count *c, const struct place *p);

/* A sampler from start to stop, and all of its counts. */
struct run {
	struct sampler_options options;
	struct sampler_event events[4];
	struct sampler *sampler;
	struct sampler_count *counts;
	size_t nr;
	size_t room;
	bool drop_stacks;	/* keep totals only */
	uint64_t total;
	uint64_t total_sum;
	char notes[2048];
};

void run_init(struct run *r, const char *event, uint64_t frequency, uint64_t period);
void run_start(struct run *r);
void run_drain(struct run *r);
void run_stop(struct run *r);
void run_free(struct run *r);
/* Waits until @end, and drains when the sampler says that it is time. */
void run_until(struct run *r, uint64_t end);
uint64_t run_counter(struct run *r, const char *name);
/* Return: samples of any process that the sampler reports as lost. */
uint64_t run_lost(struct run *r);
/* Return: sum over the counts that @match accepts. */
uint64_t run_sum(const struct run *r, bool (*match)(const struct sampler_count *, const void *),
		 const void *context, uint64_t *ret_sum);
/*
 * Checks that counted, left out and lost samples, times the period, are the
 * weight of all samples.
 */
void run_check_accounts(struct run *r);
/*
 * Checks that of @events events @found were sampled and the others are reported
 * as lost.
 */
void run_check_found(struct run *r, uint64_t found, uint64_t events);
/*
 * Checks that @found samples of a clock are as many as are due in @cpu_ns of a
 * thread's time. At either end of each of its turns on a CPU a tick may hit
 * another thread. Samples that the kernel missed are known. There may be more
 * samples, because time of interrupts may not be accounted to the thread but
 * its ticks are.
 */
void run_check_clock(struct run *r, uint64_t found, uint64_t cpu_ns, uint64_t switches);

/* Prints a table. */
void print_cost(void);

/* Tests; tests.def has their names. */
#define TEST(name, sentence) void test_##name(void);
#include "tests.def"
#undef TEST

#endif /* USTACK_TESTS_SAMPLER_H */
