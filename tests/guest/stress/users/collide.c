// SPDX-License-Identifier: GPL-2.0-only
/*
 * A user's file whose rules collide in a hash with public constants: the task that maps it can
 * still be killed, and other tasks on its CPU still run.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "craft.h"
#include "users.h"

#define CPU 1
#define RULES 60000
#define ROWS 150000
#define TEXT_LEN (256u << 10)
#define FILE_NAME DIR "/colliding"
#define KILL_AFTER_US 2000000
#define THRESH "/proc/sys/kernel/watchdog_thresh"

/*
 * The limits on an otherwise idle machine: CPU time that a task uses from its SIGKILL to its
 * end, and the time for which another task on its CPU does not run. In a guest that shares an
 * emulated CPU with others, both are multiplied by allowance(). For the other task the limit is
 * at least three times the delay that it has beside a task that spins in user mode. With the
 * fault these times were 17 to 320 seconds.
 */
#define MAX_KILL_MS 100
#define MAX_GAP_MS 50
#define MIN_ALLOWANCE 10
#define MAX_ALLOWANCE 50

/*
 * Four times the time of a known loop on this machine, relative to a CPU of 3 GHz, because the
 * load of the machine changes from one second to the next.
 */
static double allowance(void)
{
	enum { ROUNDS = 20000000, NATIVE_MS = 40 };
	volatile uint64_t sink;
	double start = seconds(), times;
	uint64_t x = 88172645463325252ull;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	sink = x;
	(void)sink;
	times = 4 * (seconds() - start) * 1000 / NATIVE_MS;
	if (times < MIN_ALLOWANCE)
		return MIN_ALLOWANCE;
	return times < MAX_ALLOWANCE ? times : MAX_ALLOWANCE;
}

static void pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(CPU, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die_errno("sched_setaffinity");
}

/* ---- the other task -------------------------------------------------------- */

struct beside {
	volatile double longest;	/* seconds between two rounds of the other task */
	volatile unsigned long rounds;
};

static int run_beside(void *arg)
{
	struct beside *b = arg;
	double last, now;

	pin();
	for (last = seconds();; last = now, b->rounds++) {
		now = seconds();
		if (now - last > b->longest)
			b->longest = now - last;
	}
	return 0;
}

/* ---- the user -------------------------------------------------------------- */

static void forge(void)
{
	struct craft_row *rows = malloc(ROWS * sizeof(*rows));
	size_t len;
	uint32_t *fp = (uint32_t *)file_read("/colliding", &len), i;

	if (len != RULES * sizeof(*fp))
		die("/colliding has %zu bytes", len);
	for (i = 0; i < ROWS; i++)
		rows[i] = (struct craft_row){
			.start = i,
			.cfa = 24,
			/* the last two, which are farthest from their slot */
			.fp = fp[i < RULES ? i : RULES - 1 - i % 2],
		};
	craft(FILE_NAME, TEXT_LEN, rows, ROWS, 0);
	if (chown(FILE_NAME, NOBODY, NOBODY))
		die_errno(FILE_NAME);
	free(rows);
	free(fp);
}

/* Repeatedly: with one more byte it is another file to the module. */
static int map_colliding(void *arg)
{
	int fd = open(FILE_NAME, O_RDWR);
	struct stat st;

	pin();
	while (fd >= 0 && !fstat(fd, &st) && !ftruncate(fd, st.st_size + 1))
		craft_look_at(fd);
	return 1;
}

static int spin(void *arg)
{
	pin();
	for (;;)
		asm volatile("");
	return 0;
}

struct cost {
	double killed_ms;	/* CPU time from SIGKILL to the end */
	double gap_ms;		/* longest pause of the other task */
};

/* Two seconds of @fn beside another task, then SIGKILL. */
static struct cost cost_of(int (*fn)(void *arg))
{
	struct beside *b = shared_memory(4096);
	pid_t beside = user_start(0, run_beside, b), pid;
	struct cost cost;
	struct rusage ru;
	int status;
	double before;

	while (!b->rounds)
		usleep(1000);
	b->longest = 0;
	pid = user_start(NOBODY, fn, NULL);
	usleep(KILL_AFTER_US);
	before = cpu_time_of(pid) / 1e6;
	kill(pid, SIGKILL);
	if (wait4(pid, &status, 0, &ru) != pid)
		die_errno("wait4");
	if (!WIFSIGNALED(status))
		die("nobody's task ended by itself: %#x", status);
	cost.killed_ms = (ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1e3 +
			 (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e3 - before;
	cost.gap_ms = b->longest * 1e3;
	stop(beside);
	munmap(b, 4096);
	return cost;
}

/* Number of lines of the log that report lockups. */
static unsigned int lockups(void)
{
	int size = klogctl(10, NULL, 0);
	char *text = calloc(1, size + 1), *at;
	unsigned int nr = 0;

	if (size <= 0 || klogctl(3, text, size) < 0)
		die_errno("the kernel's log");
	for (at = text; (at = strstr(at, "soft lockup")); at++)
		nr++;
	free(text);
	return nr;
}

void test_collide(void)
{
	double times = allowance(), gap_limit;
	char *thresh = (char *)file_read(THRESH, NULL);
	unsigned int before = lockups();
	struct cost control, cost;

	forge();
	file_write(THRESH, "5");
	control = cost_of(spin);
	cost = cost_of(map_colliding);
	file_write(THRESH, thresh);
	free(thresh);
	gap_limit = MAX_GAP_MS * times;
	if (3 * control.gap_ms > gap_limit)
		gap_limit = 3 * control.gap_ms;
	say("bounds times %.0f; a spinning task: %.0f ms after SIGKILL, gap %.0f ms",
	    times, control.killed_ms, control.gap_ms);
	check(cost.killed_ms < MAX_KILL_MS * times,
	      "colliding rules: %.0f ms of CPU time after SIGKILL, of %.0f",
	      cost.killed_ms, MAX_KILL_MS * times);
	check(cost.gap_ms < gap_limit,
	      "another task on that CPU did not run for %.0f ms, of %.0f",
	      cost.gap_ms, gap_limit);
	check(lockups() == before, "soft lockups in the log: %u",
	      lockups() - before);
}
