/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sampler's tests have in common: children whose answers are known, and a run. */
#ifndef USTACK_TESTS_SAMPLER_H
#define USTACK_TESTS_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/sampler/sampler.h"

#define NSEC 1000000000ull

extern bool quick;		/* -q: shorter, the same checks */
extern const char *self;	/* path of this program */

/* A failed check is printed and makes the test fail; it goes on. */
#define check(condition, ...) check_at(condition, __FILE__, __LINE__, #condition, __VA_ARGS__)
__attribute__((__format__(__printf__, 5, 6)))
void check_at(bool ok, const char *file, int line, const char *text, const char *fmt, ...);
__attribute__((__noreturn__, __format__(__printf__, 1, 2)))
void die(const char *fmt, ...);
/* The test does not apply here, because of this. */
__attribute__((__format__(__printf__, 1, 2)))
void skip(const char *fmt, ...);

uint64_t now(void);

/*
 * What a child tells when its work is done.
 *
 * @cpu_ns: CPU time of its work, of all its threads, as the kernel accounted it
 * @blocked: how often a thread of it waited for something meanwhile
 * @preempted: how often one was made to wait for a CPU
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
 * A child is stopped until child_go(), works, tells its answer, and is stopped until
 * child_end(). child_wait() waits until it has stopped again, and gets the answer. No code of
 * it runs while it is stopped: counters that are opened and read meanwhile, in any order,
 * count the same events.
 */
typedef void (*child_work)(const uint64_t *arguments, struct answer *ret);

struct child child_new(child_work work, const uint64_t *arguments);
void child_go(const struct child *c);
bool child_works(const struct child *c);
struct answer child_wait(const struct child *c);
void child_end(const struct child *c);

/* Known works; see work.c for what each does and answers. */
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

/* The function that a work does it in, and what calls it. */
extern const struct place {
	const char *name;
	const void *start;
	const void *end;
} place_spin, place_spin_caller, place_touch, place_sleep, place_call, place_static_probe, place_deep;

bool in_place(uint64_t pc, const struct place *p);
/* Any of the first frames of the user's stack. */
bool is_at(const struct sampler_count *c, const struct place *p);

/* A sampler from start to stop, and all that it counted. */
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
/* Waits until @end, drains when it is told to. */
void run_until(struct run *r, uint64_t end);
uint64_t run_counter(struct run *r, const char *name);
/* Samples that the sampler says it lost, of whatever process. */
uint64_t run_lost(struct run *r);
/* Of counts that @match passes. */
uint64_t run_sum(const struct run *r, bool (*match)(const struct sampler_count *, const void *),
		 const void *context, uint64_t *ret_sum);
/* Counted, left out, lost: all that programs saw, times the period, is what they weighed. */
void run_check_accounts(struct run *r);
/* The kernel counted @events: @found of them were sampled, the others are said to be lost. */
void run_check_found(struct run *r, uint64_t found, uint64_t events);
/*
 * @found samples of a clock are as many as are due in @cpu_ns of a thread's time. A tick at
 * either end of each of its turns on a CPU may be another's; what the kernel missed is known.
 * There may be more, as the time of interrupts need not be the thread's, and their ticks are.
 */
void run_check_clock(struct run *r, uint64_t found, uint64_t cpu_ns, uint64_t switches);

/* A table on stdout. */
void print_cost(void);

/* Tests; tests.def has their names. */
#define TEST(name, sentence) void test_##name(void);
#include "tests.def"
#undef TEST

#endif /* USTACK_TESTS_SAMPLER_H */
