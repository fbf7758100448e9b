// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that only a guest allows: CPUs go offline, the module is loaded. Also
 * texts of refusals.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#define HZ 997
#define CPU1 "/sys/devices/system/cpu/cpu1/online"

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

static uint64_t sampled(struct run *r)
{
	struct sampler_event_info info;

	if (sampler_event_info(r->sampler, 0, &info))
		die("no information");
	return info.weighed;
}

void test_hotplug(void)
{
	uint64_t both, one;
	struct run r;

	if (!getenv("SAMPLER_GUEST")) {
		skip("not in a guest: CPUs of this machine stay");
		return;
	}
	run_init(&r, "cpu-clock", HZ, 0);
	run_start(&r);
	run_until(&r, now() + NSEC / 5);
	run_drain(&r);
	if (!write_text(CPU1, "0"))
		die(CPU1 ": %s", strerror(errno));
	run_drain(&r);
	one = sampled(&r);
	run_until(&r, now() + NSEC / 2);
	run_drain(&r);
	one = sampled(&r) - one;
	if (!write_text(CPU1, "1"))
		die(CPU1 ": %s", strerror(errno));
	run_drain(&r);
	both = sampled(&r);
	run_until(&r, now() + NSEC / 2);
	run_stop(&r);
	both = sampled(&r) - both;
	check(strstr(r.notes, "came online"), "notes: %s", r.notes);
	check(both > one + one / 2, "%llu ns were sampled on one CPU, then %llu on two",
	      (unsigned long long)one, (unsigned long long)both);
	run_free(&r);
}

static bool by_module(const struct sampler_count *c, const void *pid)
{
	return c->tgid == *(const uint32_t *)pid && c->why < 32;
}

static bool by_kernel(const struct sampler_count *c, const void *pid)
{
	return c->tgid == *(const uint32_t *)pid && c->why == SAMPLER_WHY_NO_MODULE;
}

static bool of_tgid(const struct sampler_count *c, const void *pid)
{
	return c->tgid == *(const uint32_t *)pid;
}

static void insert(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die("%s: %s", path, strerror(errno));
	close(fd);
}

void test_module(void)
{
	const char *path = getenv("SAMPLER_KO");
	struct child c;
	uint64_t before, after, all;
	struct run r;

	if (!path) {
		skip("not in a guest: no module is loaded into this machine's kernel");
		return;
	}
	c = child_new(work_spin, (uint64_t[]){ quick ? 1500 : 3000 });
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.pids = (uint32_t[]){ c.pid };
	r.options.nr_pids = 1;
	run_start(&r);
	check(!sampler_has_module(r.sampler), "it is there already");
	child_go(&c);
	run_until(&r, now() + NSEC / 4);
	run_drain(&r);
	before = r.total;
	check(before && run_sum(&r, by_kernel, &c.pid, NULL) == before, "of %llu samples",
	      (unsigned long long)before);
	insert(path);
	run_drain(&r);
	check(sampler_has_module(r.sampler) && strstr(r.notes, "the module"), "notes: %s", r.notes);
	/*
	 * samples taken after the module was loaded but before this drain have
	 * no reason from it
	 */
	before = r.total;
	run_free(&r);
	child_wait(&c);
	child_end(&c);

	c = child_new(work_spin, (uint64_t[]){ quick ? 1500 : 3000 });
	run_init(&r, "cpu-clock", HZ, 0);
	r.options.pids = (uint32_t[]){ c.pid };
	r.options.nr_pids = 1;
	run_start(&r);
	check(sampler_has_module(r.sampler), "it was not attached");
	check(syscall(SYS_delete_module, "ustack", O_NONBLOCK) && errno == EAGAIN,
	      "the module could be unloaded: %s", strerror(errno));
	child_go(&c);
	child_wait(&c);
	run_stop(&r);
	all = run_sum(&r, of_tgid, &c.pid, NULL);
	after = run_sum(&r, by_module, &c.pid, NULL);
	/* some stacks are exceptions, such as those within execve() */
	check(all && after * 100 >= all * 95, "the module ended %llu of %llu stacks",
	      (unsigned long long)after, (unsigned long long)all);
	run_check_accounts(&r);
	run_free(&r);
	check(!syscall(SYS_delete_module, "ustack", O_NONBLOCK), "not unloaded: %s", strerror(errno));
	child_end(&c);
}

/* Checks that @o fails with @err and that the message contains @words. */
static void refused(struct sampler_options *o, const char *event, uint64_t frequency, int err,
		    const char *words)
{
	struct sampler_event e = { .name = event, .frequency = frequency };
	struct sampler_options options = o ? *o : (struct sampler_options){ 0 };
	struct sampler *s = NULL;
	struct diag diag = { 0 };
	char text[512];
	int ret;

	options.events = &e;
	options.nr_events = 1;
	ret = sampler_new(&options, &s, &diag);
	if (!ret)
		ret = sampler_start(s, &diag);
	diag_format(&diag, text, sizeof(text));
	sampler_free(s);
	check(ret == err && strstr(text, words), "%s: %d, %s", event, ret, text);
}

void test_words(void)
{
	struct sampler_options o = { 0 };

	refused(NULL, "nonsense", 0, -ENOENT, "no such event");
	refused(NULL, "", 0, -EINVAL, "name");
	refused(NULL, "sched:nonsense", 0, -ENOENT, "no such tracepoint");
	refused(NULL, "u:/nonexistent:main", 0, -ENOENT, "cannot be read");
	refused(NULL, "u:/proc/self/exe:no_such_function", 0, -ENOENT, "no_such_function");
	refused(NULL, "usdt:/proc/self/exe:ustack:nosuch", 0, -ENOENT, "no such static probe");
	refused(NULL, "u:libnosuch:main", 0, -ENOENT, "neither a program nor a library");
	refused(NULL, "cpu-clock", 2000000000, -EINVAL, "more than");
	refused(NULL, "off-cpu", 99, -EINVAL, "neither");
	o = (struct sampler_options){ .pids = (uint32_t[]){ 0x3fffffff }, .nr_pids = 1 };
	refused(&o, "cpu-clock", 0, -ESRCH, "no process");
	o = (struct sampler_options){ .comm = "longer than a name can be" };
	refused(&o, "cpu-clock", 0, -EINVAL, "name has");
	o = (struct sampler_options){ .cgroup = "/proc" };
	refused(&o, "cpu-clock", 0, -EBADF, "not a cgroup");
	o = (struct sampler_options){ .cpus = "0-" };
	refused(&o, "cpu-clock", 0, -EINVAL, "0-3,7");
	o = (struct sampler_options){ .cpus = "8000" };
	refused(&o, "cpu-clock", 0, -ENODEV, "online");
}
