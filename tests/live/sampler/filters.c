// SPDX-License-Identifier: GPL-2.0-only
/* Checks that each filter passes what it should, and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#define HZ 997

static uint64_t time_ms(void)
{
	return quick ? 300 : 1000;
}

/* Two children spin; @r has options that only the first one passes. */
struct pair {
	struct child in;
	struct child out;
	struct answer answer;
};

static void pair_new(struct pair *p, child_work in, child_work out)
{
	static uint64_t ms;

	ms = time_ms();
	p->in = child_new(in, &ms);
	p->out = child_new(out, &ms);
}

static void pair_run(struct pair *p, struct run *r)
{
	run_start(r);
	child_go(&p->in);
	child_go(&p->out);
	p->answer = child_wait(&p->in);
	child_wait(&p->out);
	run_stop(r);
	run_check_accounts(r);
}

static void pair_end(struct pair *p, struct run *r)
{
	run_free(r);
	child_end(&p->in);
	child_end(&p->out);
}

static bool of_tgid(const struct sampler_count *c, const void *pid)
{
	return c->tgid == *(const uint32_t *)pid;
}

static bool of_tid(const struct sampler_count *c, const void *tid)
{
	return c->tid == *(const uint32_t *)tid;
}

/* Checks that only @pid passed, with samples for @cpu_ns of its time. */
static void check_only(struct run *r, uint32_t pid, uint64_t cpu_ns, const struct answer *a)
{
	uint64_t mine = run_sum(r, of_tgid, &pid, NULL);

	run_check_clock(r, mine, cpu_ns, a->blocked + a->preempted);
	check(mine == r->total, "%llu samples of others", (unsigned long long)(r->total - mine));
	check(run_counter(r, "filtered") > 0, "nothing was left out");
}

void test_pids(void)
{
	struct pair p;
	struct run r;

	pair_new(&p, work_spin, work_spin);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.pids = (uint32_t[]){ p.in.pid };
	r.options.nr_pids = 1;
	pair_run(&p, &r);
	check_only(&r, p.in.pid, p.answer.cpu_ns, &p.answer);
	pair_end(&p, &r);

	/* with @children, what it forks passes too */
	pair_new(&p, work_fork_one, work_spin);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.pids = (uint32_t[]){ p.in.pid };
	r.options.nr_pids = 1;
	r.options.children = true;
	pair_run(&p, &r);
	check(run_sum(&r, of_tgid, &p.answer.tids[0], NULL) > 0,
	      "the child of the child was not sampled");
	check(!run_sum(&r, of_tgid, &(uint32_t){ p.out.pid }, NULL), "samples of another");
	pair_end(&p, &r);

	/* without, it does not */
	pair_new(&p, work_fork_one, work_spin);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.pids = (uint32_t[]){ p.in.pid };
	r.options.nr_pids = 1;
	pair_run(&p, &r);
	check(!run_sum(&r, of_tgid, &p.answer.tids[0], NULL), "the child of the child was sampled");
	pair_end(&p, &r);
}

void test_tids(void)
{
	struct pair p;
	struct run r;

	/* the first thread of a process has the number of the process */
	pair_new(&p, work_threads, work_spin);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.tids = (uint32_t[]){ p.in.pid };
	r.options.nr_tids = 1;
	r.options.by_thread = true;
	pair_run(&p, &r);
	/* one thread of two spins for as long as it was told to */
	check_only(&r, p.in.pid, time_ms() * 1000000, &p.answer);
	check(run_sum(&r, of_tid, &(uint32_t){ p.in.pid }, NULL) == r.total, "another thread");
	pair_end(&p, &r);
}

static bool of_comm(const struct sampler_count *c, const void *comm)
{
	return !strcmp(c->comm, comm);
}

static bool of_other_comm(const struct sampler_count *c, const void *begin)
{
	return strncmp(c->comm, begin, strlen(begin));
}

void test_comm(void)
{
	struct pair p;
	struct run r;

	pair_new(&p, work_threads, work_spin);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.comm = "second-thread";
	pair_run(&p, &r);
	check_only(&r, p.in.pid, time_ms() * 1000000, &p.answer);
	check(run_sum(&r, of_comm, "second-thread", NULL) == r.total, "another name");
	pair_end(&p, &r);

	pair_new(&p, work_threads, work_spin);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.comm = "second*";
	pair_run(&p, &r);
	check_only(&r, p.in.pid, time_ms() * 1000000, &p.answer);
	check(!run_sum(&r, of_other_comm, "second", NULL), "another name");
	pair_end(&p, &r);

	/* without an asterisk the beginning of a name does not match */
	pair_new(&p, work_threads, work_spin);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.comm = "second";
	pair_run(&p, &r);
	check(!r.total, "%llu samples", (unsigned long long)r.total);
	pair_end(&p, &r);
}

/*
 * Return: path of a mount of version 2 cgroups, which is made if there is none.
 */
static const char *cgroup_root(void)
{
	static char path[4096];
	struct mntent *m;
	FILE *f = setmntent("/proc/mounts", "r");

	while (f && (m = getmntent(f))) {
		if (strcmp(m->mnt_type, "cgroup2"))
			continue;
		snprintf(path, sizeof(path), "%s", m->mnt_dir);
		endmntent(f);
		return path;
	}
	strcpy(path, "/tmp/sampler-cgroup2");
	mkdir(path, 0755);
	return mount("none", path, "cgroup2", 0, NULL) ? NULL : path;
}

static void write_pid(const char *folder, pid_t pid)
{
	char path[8400];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%d", pid) < 0 || fclose(f))
		die("%s: %s", path, strerror(errno));
}

void test_cgroup(void)
{
	const char *root = cgroup_root();
	char group[4200], below[4300];
	struct stat st;
	struct pair p;
	struct run r;

	if (!root) {
		skip("no cgroups of version 2: %s", strerror(errno));
		return;
	}
	snprintf(group, sizeof(group), "%s/sampler-test-%d", root, getpid());
	snprintf(below, sizeof(below), "%s/below", group);
	if (mkdir(group, 0755) || mkdir(below, 0755))
		die("%s: %s", group, strerror(errno));
	pair_new(&p, work_spin, work_spin);
	write_pid(below, p.in.pid);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.cgroup = group;
	pair_run(&p, &r);
	check_only(&r, p.in.pid, p.answer.cpu_ns, &p.answer);
	check(!stat(below, &st) && r.nr && r.counts[0].cgroup == st.st_ino, "cgroup %llu",
	      r.nr ? (unsigned long long)r.counts[0].cgroup : 0);
	pair_end(&p, &r);
	rmdir(below);
	rmdir(group);
}

static void pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		die("CPU %d: %s", cpu, strerror(errno));
}

void test_cpus(void)
{
	uint64_t times = 1000;
	struct pair p;
	struct run r;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		skip("one CPU");
		return;
	}
	pair_new(&p, work_spin, work_spin);
	pin(p.in.pid, 1);
	pin(p.out.pid, 0);
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.cpus = "1";
	run_start(&r);
	child_go(&p.in);
	child_go(&p.out);
	p.answer = child_wait(&p.in);
	child_wait(&p.out);
	run_stop(&r);
	run_check_clock(&r, run_sum(&r, of_tgid, &(uint32_t){ p.in.pid }, NULL), p.answer.cpu_ns,
			p.answer.blocked + p.answer.preempted);
	check(!run_sum(&r, of_tgid, &(uint32_t){ p.out.pid }, NULL), "CPU 0 was sampled");
	pair_end(&p, &r);

	/* events that belong to no CPU are filtered by the programs */
	p.in = child_new(work_getpriority, &times);
	p.out = child_new(work_getpriority, &times);
	pin(p.in.pid, 1);
	pin(p.out.pid, 0);
	run_init(&r, "syscalls:sys_enter_getpriority", 0, 0);
	r.options.cpus = "1";
	run_start(&r);
	child_go(&p.in);
	child_go(&p.out);
	child_wait(&p.in);
	child_wait(&p.out);
	run_stop(&r);
	run_check_found(&r, run_sum(&r, of_tgid, &(uint32_t){ p.in.pid }, NULL), times);
	check(!run_sum(&r, of_tgid, &(uint32_t){ p.out.pid }, NULL), "CPU 0 was counted");
	pair_end(&p, &r);
}
