// SPDX-License-Identifier: GPL-2.0-only
/* Small parts of the daemon: budget, shared numbers, messages to systemd. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "serve/daemon/budget.h"
#include "serve/daemon/cpu_use.h"
#include "serve/daemon/notify.h"
#include "serve/daemon/shared.h"

#define SECOND 1000000000ull
#define CPUS 4u

/* A window of ten seconds of a daemon that takes @fixed ns, and @each ns per sample. */
static uint64_t window(struct budget *b, uint64_t fixed, uint64_t each)
{
	struct budget_window w = { .ns = 10 * SECOND, .cpus = CPUS };

	w.samples = b->hz * CPUS * 10;
	w.cpu_ns = fixed + w.samples * each;
	return budget_window(b, &w);
}

static struct budget budget_of(uint32_t share, uint64_t least, uint64_t most)
{
	return (struct budget){ .share = share, .least = least, .most = most, .hz = most };
}

static void test_within_budget(void **state)
{
	struct budget b = budget_of(BUDGET_WHOLE / 100, 1, 19);
	unsigned int i;

	for (i = 0; i < 100; i++)
		assert_int_equal(window(&b, 0, 20000), 19);
	assert_int_equal(b.lowered, 0);
	/* 760 samples of 30 us in 40 s of CPUs */
	assert_in_range(b.used, 569, 571);
}

/*
 * Whatever a sample costs, the rate reaches the value that the budget allows, and stays about
 * there.
 */
static void test_over_budget(void **state)
{
	static const uint64_t each[] = { 100000, 1000000, 5000000 };
	unsigned int i, j;

	for (i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		struct budget b = budget_of(BUDGET_WHOLE / 100, 1, 997);
		uint64_t fits = 10 * SECOND * CPUS / 100 / (each[i] + BUDGET_SAMPLE_NS) / 10 / CPUS;
		unsigned int over = 0;

		for (j = 0; j < 200; j++) {
			window(&b, 0, each[i]);
			if (j < 20)
				continue;
			over += b.used > b.share;
			assert_in_range(b.hz, fits / 2, fits + fits / 8 + 2);
		}
		assert_true(b.lowered);
		/* it tries a higher rate from time to time, not in each window */
		assert_in_range(over, 0, 45);
	}
}

/* Making tables and names takes CPU time, but does not lower the rate. */
static void test_other_work(void **state)
{
	struct budget b = budget_of(BUDGET_WHOLE / 100, 1, 19);
	struct budget_window w = { .ns = 10 * SECOND, .cpus = CPUS, .samples = 760,
				   .cpu_ns = 8 * SECOND, .other_ns = 8 * SECOND - 760 * 20000 };
	unsigned int i;

	for (i = 0; i < 50; i++)
		assert_int_equal(budget_window(&b, &w), 19);
	/* it is reported nevertheless */
	assert_in_range(b.used, 200100, 200300);
	assert_in_range(b.charged, 569, 571);
	/* a child's time that is counted twice */
	w.other_ns = 9 * SECOND;
	assert_int_equal(budget_window(&b, &w), 19);
	/* in addition, sampling that is too expensive lowers it */
	w.other_ns = 4 * SECOND;
	assert_int_equal(budget_window(&b, &w), 9);
}

/* A burst that was charged lowers the rate; three windows after its end the rate is back. */
static void test_burst(void **state)
{
	struct budget b = budget_of(BUDGET_WHOLE / 100, 2, 19);
	unsigned int i;

	assert_int_equal(window(&b, 8 * SECOND, 0), 9);
	assert_int_equal(window(&b, 8 * SECOND, 0), 4);
	for (i = 0; i < 10; i++)
		window(&b, 8 * SECOND, 0);
	assert_int_equal(b.hz, 2);
	for (i = 0; i < 3; i++)
		window(&b, 0, 20000);
	assert_int_equal(b.hz, 19);
	assert_true(b.raised);
}

static void test_no_budget(void **state)
{
	struct budget b = budget_of(0, 1, 499);
	struct budget_window empty = { 0 };

	assert_int_equal(window(&b, 100 * SECOND, 0), 499);
	b.share = 1;
	assert_int_equal(budget_window(&b, &empty), 499);
	/* the minimum is above the maximum */
	b = budget_of(1, 1000, 19);
	assert_int_equal(window(&b, 100 * SECOND, 0), 19);
	/* and is never 0 */
	b = budget_of(1, 0, 3);
	for (unsigned int i = 0; i < 10; i++)
		window(&b, 100 * SECOND, 0);
	assert_int_equal(b.hz, 1);
}

static void test_cpu_use(void **state)
{
	struct cpu_use before, after;
	volatile uint64_t i;
	pid_t pid = fork();

	if (!pid) {
		for (;;)
			;
	}
	cpu_use_read(&before);
	for (i = 0; i < 300000000; i++)
		;
	cpu_use_read(&after);
	assert_true(after.self_ns > before.self_ns);
	assert_true(after.rss_bytes > 100000);
	/* a running child counts, if the kernel lists the children */
	if (!access("/proc/self/task/1/children", F_OK) || !access("/proc/thread-self/children", F_OK))
		assert_true(after.children_ns > before.children_ns);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	cpu_use_read(&before);
	/* and after it has ended */
	assert_true(before.children_ns >= after.children_ns);
}

static void test_shared(void **state)
{
	static struct shared_state in, out;
	struct shared *writer, *reader;
	uint64_t i, last = 0, torn = 0;
	pid_t pid;

	assert_int_equal(shared_new(&writer, NULL), 0);
	assert_int_equal(shared_attach(shared_fd(writer), &reader, NULL), 0);
	/* readers cannot write */
	assert_ptr_equal(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, shared_fd(writer), 0),
			 MAP_FAILED);
	pid = fork();
	if (!pid) {
		for (i = 1;; i++) {
			in.samples = in.windows = in.end.record = i;
			in.outcomes[SHARED_MAX_OUTCOMES - 1].value = i;
			shared_write(writer, &in);
		}
	}
	for (i = 0; last < 20000; i++) {
		if (shared_read(reader, &out))
			continue;
		torn += out.samples != out.windows || out.samples != out.end.record ||
			out.samples != out.outcomes[SHARED_MAX_OUTCOMES - 1].value;
		assert_true(out.samples >= last);
		last = out.samples;
	}
	assert_int_equal(torn, 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	shared_free(reader);
	shared_free(writer);
}

static void test_shared_count(void **state)
{
	struct shared_count counts[4] = { 0 };
	char name[16];
	uint32_t nr = 0, i;

	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "n%u", i % 10);
		shared_count(counts, &nr, 4, name, 1);
	}
	assert_int_equal(nr, 4);
	assert_string_equal(counts[0].name, "n0");
	assert_int_equal(counts[0].value, 2);
	assert_string_equal(counts[3].name, "other");
	assert_int_equal(counts[3].value, 14);
}

static void test_notify(void **state)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	char dir[] = "/tmp/ustack-notify-XXXXXX", buf[64];
	struct diag diag;
	ssize_t n;

	assert_non_null(mkdtemp(dir));
	snprintf(at.sun_path, sizeof(at.sun_path), "%s/s", dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	setenv("NOTIFY_SOCKET", at.sun_path, 1);
	assert_int_equal(notify_send(NULL, "READY=%d", 1), 0);
	n = recv(fd, buf, sizeof(buf), 0);
	assert_int_equal(n, 7);
	assert_memory_equal(buf, "READY=1", 7);
	unlink(at.sun_path);
	assert_int_equal(notify_send(&diag, "READY=1"), -ENOENT);
	setenv("NOTIFY_SOCKET", "relative", 1);
	assert_int_equal(notify_send(&diag, "READY=1"), -EINVAL);
	unsetenv("NOTIFY_SOCKET");
	assert_int_equal(notify_send(&diag, "READY=1"), 0);
	close(fd);
	rmdir(dir);
}

static void test_watchdog(void **state)
{
	char pid[16];

	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	assert_int_equal(notify_watchdog_ns(), 0);
	setenv("WATCHDOG_USEC", "30000000", 1);
	assert_int_equal(notify_watchdog_ns(), 30 * SECOND);
	setenv("WATCHDOG_PID", "1", 1);
	assert_int_equal(notify_watchdog_ns(), 0);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("WATCHDOG_PID", pid, 1);
	assert_int_equal(notify_watchdog_ns(), 30 * SECOND);
	setenv("WATCHDOG_USEC", "soon", 1);
	assert_int_equal(notify_watchdog_ns(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_within_budget),
		cmocka_unit_test(test_over_budget),
		cmocka_unit_test(test_other_work),
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_no_budget),
		cmocka_unit_test(test_cpu_use),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_shared_count),
		cmocka_unit_test(test_notify),
		cmocka_unit_test(test_watchdog),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
