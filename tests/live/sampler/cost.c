// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of a sample by the kernel's own statistics of the program
 * (run_time_ns divided by run_cnt), while a child calls a function with a
 * uprobe below a number of frames. All runs of the program come from that
 * child, so the figure is about samples alone. The best of some rounds is
 * printed, because other work on the machine disturbs the others.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#define ROUNDS 15
#define CALLS 4000

struct figures {
	uint64_t ns;
	uint64_t runs;
};

static struct figures read_figures(const char *name)
{
	struct figures f = { 0 };
	uint32_t id = 0;

	while (!bpf_prog_get_next_id(id, &id)) {
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &size) && !strcmp(info.name, name)) {
			f.ns += info.run_time_ns;
			f.runs += info.run_cnt;
		}
		close(fd);
	}
	return f;
}

/*
 * Return: nanoseconds of the best round. @change: changes the options; may be
 * NULL.
 */
static double cost(uint64_t frames, const char *event, const char *program,
		   void (*change)(struct run *))
{
	double best = 0, each;
	struct figures before, after;
	struct run r;
	int i;

	run_init(&r, event, 0, 0);
	r.drop_stacks = true;
	if (change)
		change(&r);
	run_start(&r);
	for (i = 0; i < ROUNDS; i++) {
		struct child c = child_new(work_deep_calls, (uint64_t[]){ frames, CALLS });

		before = read_figures(program);
		child_go(&c);
		child_wait(&c);
		after = read_figures(program);
		child_end(&c);
		/* a sample with its time takes an element of a map, until it is read */
		run_drain(&r);
		/*
		 * other processes may make the same system call, so there may
		 * be more
		 */
		if (after.runs - before.runs < CALLS)
			die("%llu runs of %u calls", (unsigned long long)(after.runs - before.runs), CALLS);
		each = (double)(after.ns - before.ns) / (after.runs - before.runs);
		if (!i || each < best)
			best = each;
	}
	run_stop(&r);
	/* a sample that is lost costs less */
	if (run_lost(&r))
		die("%llu samples were lost", (unsigned long long)run_lost(&r));
	run_free(&r);
	return best;
}

static void no_stacks(struct run *r)
{
	r->options.no_user = r->options.no_kernel = true;
}

static void nobody(struct run *r)
{
	static uint32_t pid = 1;

	r->options.pids = &pid;
	r->options.nr_pids = 1;
}

static void by_thread(struct run *r)
{
	r->options.by_thread = true;
}

/* Asks for what record --timestamps does. */
static void timestamps(struct run *r)
{
	r->options.by_thread = r->options.timestamps = true;
}

/* Prints the cost of samples with and without their times, of one kind of stack. */
static void print_timestamps(const char *event, uint64_t frames)
{
	double without = cost(frames, event, "on_uprobe", by_thread);
	double with = cost(frames, event, "on_uprobe", timestamps);

	printf("| user stack of %llu frames, counted by thread | %.0f |\n", (unsigned long long)frames,
	       without);
	printf("| user stack of %llu frames, with its time | %.0f |\n", (unsigned long long)frames, with);
}

void print_cost(void)
{
	static const uint64_t frames[] = { 10, 30, 100 };
	char event[4400];
	size_t i;
	int fd = bpf_enable_stats(BPF_STATS_RUN_TIME);

	if (fd < 0)
		die("bpf_enable_stats: %s", strerror(errno));
	snprintf(event, sizeof(event), "u:%s:probed_function", self);
	printf("| sample | ns, best of %u rounds of %u |\n|---|---:|\n", ROUNDS, CALLS);
	printf("| does not pass a filter by process | %.0f |\n", cost(1, event, "on_uprobe", nobody));
	printf("| counted without stacks | %.0f |\n", cost(1, event, "on_uprobe", no_stacks));
	for (i = 0; i < 3; i++)
		printf("| user stack of %llu frames | %.0f |\n", (unsigned long long)frames[i],
		       cost(frames[i], event, "on_uprobe", NULL));
	print_timestamps(event, 30);
	for (i = 0; i < 3; i++)
		printf("| the same from a system call, with the kernel's stack | %.0f |\n",
		       cost(frames[i], "syscalls:sys_enter_getpriority", "on_tracepoint", NULL));
	close(fd);
}
