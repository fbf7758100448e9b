// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares a walk by unwind tables in eBPF with the kernel's walk by frame pointers: a program
 * without frame pointers is walked by tables, and another build of it, with frame pointers, by
 * bpf_get_stack(). Both run at the same time, each on a CPU of its own if there are two, and
 * are sampled in turn.
 *
 * usage: bpfwalk ROUNDS HZ SAMPLES PROGRAM FP_PROGRAM [ARGUMENT]
 * Prints a line for each round: nanoseconds of a walk by tables and by frame pointers, and the
 * frames of both. Then it prints the cost of loading the programs and the size of the tables.
 */
#include <err.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpfwalk.skel.h"
#include "sampler.skel.h"
#include "tasks.skel.h"
#include "capture/sampler/internal.h"
#include "tables.h"
#include "supply/tables/maker.h"
#include "util/clock.h"

/* Limits that only a hanging program reaches. */
#define SETTLE_MS 300000
#define TURN_S 120

struct walked {
	double ns;
	double frames;
};

static pid_t begin(const char *program, const char *argument)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl(program, program, argument, NULL);
		err(2, "%s", program);
	}
	return pid;
}

static void map_as(struct bpf_map *map, struct bpf_map *sampler)
{
	if (bpf_map__reuse_fd(map, bpf_map__fd(sampler)))
		err(2, "maps");
}

/* @ms: time of loading */
static struct bpfwalk_bpf *load(const struct sampler *s, double *ms)
{
	const struct sampler_bpf *m = s->programs.main;
	struct bpfwalk_bpf *b = bpfwalk_bpf__open();
	uint64_t began = clock_ns(CLOCK_MONOTONIC);

	if (!b)
		err(2, "the programs");
	map_as(b->maps.ustack_spaces, m->maps.ustack_spaces);
	map_as(b->maps.ustack_wides, m->maps.ustack_wides);
	map_as(b->maps.ustack_huges, m->maps.ustack_huges);
	map_as(b->maps.ustack_images, m->maps.ustack_images);
	map_as(b->maps.ustack_wishes, m->maps.ustack_wishes);
	map_as(b->maps.ustack_bins, m->maps.ustack_bins);
	if (bpfwalk_bpf__load(b))
		err(2, "the programs");
	*ms = (double)(clock_ns(CLOCK_MONOTONIC) - began) / 1e6;
	return b;
}

static struct bpf_prog_info info_of(const struct bpf_program *prog)
{
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len))
		err(2, "a program");
	return info;
}

/* Samples the process's user code with @prog until there are @least more walks. */
static struct walked turn(const struct bpf_program *prog, pid_t pid, uint64_t hz, uint64_t least,
			  const __u64 *frames)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
					.config = PERF_COUNT_SW_CPU_CLOCK, .exclude_kernel = 1,
					.sample_period = 1000000000 / hz };
	const struct bpf_prog_info before = info_of(prog);
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + TURN_S * 1000000000ull, had = *frames;
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	struct bpf_prog_info after;

	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, bpf_program__fd(prog)))
		err(2, "an event");
	do {
		usleep(20000);
		after = info_of(prog);
		if (clock_ns(CLOCK_MONOTONIC) > until || waitpid(pid, NULL, WNOHANG))
			errx(2, "%s: %llu samples", bpf_program__name(prog),
			     (unsigned long long)(after.run_cnt - before.run_cnt));
	} while (after.run_cnt - before.run_cnt < least);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	close(fd);
	after = info_of(prog);
	return (struct walked){
		(double)(after.run_time_ns - before.run_time_ns) / (double)(after.run_cnt - before.run_cnt),
		(double)(*frames - had) / (double)(after.run_cnt - before.run_cnt),
	};
}

static void print_memory(const struct table_maker *k)
{
	struct table_maker_counts n;

	table_maker_counts(k, &n);
	printf("memory: %llu bytes an image's table on average of %llu, %llu bytes a process\n",
	       (unsigned long long)(n.tables ? n.table_bytes / n.tables : 0), (unsigned long long)n.tables,
	       (unsigned long long)sizeof(struct tables_space));
}

int main(int argc, char **argv)
{
	static const struct sampler_event none = { .name = "context-switches" };
	const struct sampler_options options = { .events = &none, .nr_events = 1, .tables = true };
	unsigned long i, rounds, hz, samples;
	struct walked tables, pointers;
	struct bpfwalk_bpf *b;
	struct table_maker_maps maps;
	struct sampler *s;
	struct table_maker *k;
	struct diag diag;
	sigset_t mask;
	pid_t pid, fp;
	const struct table_maker_limits limits = { .memory = 64 << 20 };
	double ms;

	if (argc < 6)
		return 2;
	rounds = strtoul(argv[1], NULL, 10);
	hz = strtoul(argv[2], NULL, 10);
	samples = strtoul(argv[3], NULL, 10);
	/* the verifier gives up when a signal comes */
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	if (bpf_enable_stats(BPF_STATS_RUN_TIME) < 0)
		err(2, "statistics of programs");
	if (sampler_new(&options, &s, &diag))
		errx(2, "the sampler's programs");
	sampler_maps(s, &maps);
	if (table_maker_new(&maps, &limits, &k, &diag) || !table_maker_settle(k, SETTLE_MS))
		errx(2, "the maker");
	b = load(s, &ms);
	table_maker_know(k, argv[4], SETTLE_MS);
	pid = begin(argv[4], argv[6]);
	fp = begin(argv[5], argv[6]);
	/* these samples do not count: meanwhile the tables of its libraries are made */
	turn(b->progs.by_tables, pid, hz, samples, &b->bss->frames[0]);
	turn(b->progs.by_frame_pointers, fp, hz, samples, &b->bss->frames[1]);
	table_maker_settle(k, SETTLE_MS);
	b->bss->whole = b->bss->stacks[0] = 0;
	for (i = 0; i < rounds; i++) {
		tables = turn(b->progs.by_tables, pid, hz, samples, &b->bss->frames[0]);
		pointers = turn(b->progs.by_frame_pointers, fp, hz, samples, &b->bss->frames[1]);
		printf("round: %.1f %.1f %.2f %.2f\n", tables.ns, pointers.ns, tables.frames, pointers.frames);
	}
	printf("whole: %llu of %llu\n", (unsigned long long)b->bss->whole, (unsigned long long)b->bss->stacks[0]);
	printf("program: %u instructions verified, loaded in %.0f ms\n", info_of(b->progs.by_tables).verified_insns,
	       ms);
	print_memory(k);
	kill(pid, SIGKILL);
	kill(fp, SIGKILL);
	bpfwalk_bpf__destroy(b);
	table_maker_free(k);
	sampler_free(s);
	return 0;
}
