// SPDX-License-Identifier: GPL-2.0-only
/* Time off the CPU, and events that are counted each: probes, tracepoints. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "test.h"

static bool sleeps(const struct sampler_count *c, const void *pid)
{
	return c->tgid == *(const uint32_t *)pid && !c->preempted && is_at(c, &place_sleep);
}

static bool blocked(const struct sampler_count *c, const void *pid)
{
	return c->tgid == *(const uint32_t *)pid && !c->preempted;
}

static bool ended(const struct sampler_count *c, const void *pid)
{
	return blocked(c, pid) && !c->pending;
}

void test_sleeps(void)
{
	const uint64_t times = quick ? 20 : 60, ms = 10;
	struct child c = child_new(work_sleep, (uint64_t[]){ times, ms });
	uint32_t pid = c.pid;
	uint64_t count, sum, undisturbed;
	struct answer a;
	struct run r;

	run_init(&r, "off-cpu", 0, 0);
	r.options.pids = &pid;
	r.options.nr_pids = 1;
	run_start(&r);
	child_go(&c);
	a = child_wait(&c);
	run_stop(&r);
	run_check_found(&r, run_sum(&r, ended, &pid, NULL), a.blocked);
	/*
	 * if the child is preempted on its way into a sleep, it sleeps shorter
	 * or not at all
	 */
	count = run_sum(&r, sleeps, &pid, &sum);
	undisturbed = times > a.preempted + run_lost(&r) ? times - a.preempted - run_lost(&r) : 0;
	check(count <= times && count >= undisturbed, "%llu sleeps of %llu, %llu of them undisturbed",
	      (unsigned long long)count, (unsigned long long)times, (unsigned long long)undisturbed);
	/*
	 * it may wake late but never early, and its own measurement includes
	 * the whole sleep
	 */
	check(sum >= undisturbed * (ms - 1) * 1000000 && sum <= a.numbers[0],
	      "%llu ns off the CPU, the child measured %llu", (unsigned long long)sum,
	      (unsigned long long)a.numbers[0]);
	printf("  %llu sleeps: %llu us off the CPU, %llu us by the child's clock\n",
	       (unsigned long long)count, (unsigned long long)sum / 1000,
	       (unsigned long long)a.numbers[0] / 1000);
	run_free(&r);
	child_end(&c);
}

void test_least(void)
{
	const uint64_t times = quick ? 20 : 60;
	struct child c = child_new(work_two_sleeps, (uint64_t[]){ times, 1, 20, 15 });
	uint32_t pid = c.pid;
	uint64_t count;
	struct answer a;
	struct run r;

	run_init(&r, "off-cpu", 0, 0);
	r.options.pids = &pid;
	r.options.nr_pids = 1;
	r.options.offcpu_min_ns = 15000000;
	r.options.offcpu_blocked_only = true;
	run_start(&r);
	child_go(&c);
	a = child_wait(&c);
	run_stop(&r);
	count = run_sum(&r, sleeps, &pid, NULL);
	/*
	 * A sleep of 20 ms is counted, unless the child was preempted on its
	 * way into it. A sleep of 15 ms by the child's clock was a little
	 * shorter off the CPU.
	 */
	check(count + a.preempted + run_lost(&r) >= times / 2 && count <= a.numbers[0],
	      "%llu long waits of %llu, at most %llu; preempted %llu times",
	      (unsigned long long)count, (unsigned long long)times,
	      (unsigned long long)a.numbers[0], (unsigned long long)a.preempted);
	run_check_found(&r, run_sum(&r, ended, &pid, NULL) + run_counter(&r, "short-wait"), a.blocked);
	check(run_sum(&r, blocked, &pid, NULL) == r.total, "preempted ones were left out");
	run_free(&r);
	child_end(&c);
}

static bool is_pending(const struct sampler_count *c, const void *tid)
{
	return c->tgid == *(const uint32_t *)tid && c->pending && is_at(c, &place_sleep) &&
	       !strcmp(c->comm, "sleeps-for-ever");
}

void test_pending(void)
{
	struct child c = child_new(work_pause, NULL);
	uint64_t count, sum, before, after;
	struct answer a;
	struct run r;

	run_init(&r, "off-cpu", 0, 0);
	run_start(&r);
	child_go(&c);
	a = child_wait(&c);
	run_until(&r, now() + 200000000);
	before = now();
	run_stop(&r);
	after = now();
	count = run_sum(&r, is_pending, &a.tids[0], &sum);
	check(count == 1, "%llu waits", (unsigned long long)count);
	check(sum >= before - a.numbers[1] && sum <= after - a.numbers[0], "%llu ns of %llu",
	      (unsigned long long)sum, (unsigned long long)(after - a.numbers[0]));
	check(run_counter(&r, "pending") > 0, "not counted");
	run_free(&r);
	child_end(&c);
}

static bool of_tgid(const struct sampler_count *c, const void *pid)
{
	return c->tgid == *(const uint32_t *)pid;
}

static void counted_calls(const char *event, child_work work, uint64_t times, const struct place *at)
{
	struct child c = child_new(work, &times);
	uint32_t pid = c.pid;
	uint64_t count, sum;
	struct run r;

	run_init(&r, event, 0, 0);
	run_start(&r);
	child_go(&c);
	child_wait(&c);
	run_stop(&r);
	count = run_sum(&r, of_tgid, &pid, &sum);
	run_check_found(&r, count, times);
	check(count >= times / 2 && sum == count, "%s: %llu calls of %llu, which weigh %llu", event,
	      (unsigned long long)count, (unsigned long long)times, (unsigned long long)sum);
	if (at && r.nr)
		check(r.counts[0].nr_user && in_place(r.counts[0].user[0], at), "the wrong place");
	run_free(&r);
	child_end(&c);
}

void test_uprobe(void)
{
	char event[4400];

	snprintf(event, sizeof(event), "u:%s:probed_function", self);
	counted_calls(event, work_call, 12345, &place_call);
}

void test_static_probe(void)
{
	char event[4400];

	snprintf(event, sizeof(event), "usdt:%s:ustack:called", self);
	counted_calls(event, work_static_probe, 12345, &place_static_probe);
}

void test_tracepoint(void)
{
	counted_calls("syscalls:sys_enter_getpriority", work_getpriority, 4321, NULL);
}

void test_kprobe(void)
{
	struct utsname u;

	if (access("/sys/bus/event_source/devices/kprobe", F_OK)) {
		skip("the kernel has no kprobes");
		return;
	}
	uname(&u);
	counted_calls(strcmp(u.machine, "aarch64") ? "k:__x64_sys_getpriority" :
						     "k:__arm64_sys_getpriority",
		      work_getpriority, 4321, NULL);
}
