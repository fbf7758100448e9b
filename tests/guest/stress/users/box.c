// SPDX-License-Identifier: GPL-2.0-only
/*
 * A control group of 64 MiB whose tasks map files with sections of 40 MiB, or many files: the
 * memory that the module takes for them is charged to the group, and nobody outside lacks it.
 *
 * Besides the memory of one such section the tasks still have room for their own: killing a
 * task inside would be correct, but is a complaint in the kernel's log.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "craft.h"
#include "users.h"

#define CGROUP "/sys/fs/cgroup"
#define BOX CGROUP "/ustack-box"
#define TASKS 60
#define ROOM (40u << 20)
#define OUTSIDE_BYTES (300ul << 20)
#define SECONDS 20

/* Processes with long mapping lists. */
#define LISTERS 8
#define MAPPINGS 4000

/*
 * How far MemAvailable may fall; the group itself has 64 MiB. With the fault it fell by all of
 * the memory.
 */
#define MAX_FALL_MB 256

/* A figure from a file of "NAME VALUE" lines. */
static unsigned long figure(const char *path, const char *name)
{
	char *text = (char *)file_read(path, NULL);
	const char *at = strstr(text, name);
	unsigned long value = at ? strtoul(at + strlen(name), NULL, 10) : 0;

	if (!at)
		die("%s: no %s", path, name);
	free(text);
	return value;
}

static unsigned long available_mb(void)
{
	return figure("/proc/meminfo", "MemAvailable:") >> 10;
}

static bool make_box(void)
{
	char *controllers = (char *)file_read(CGROUP "/cgroup.controllers", NULL);
	bool good = strstr(controllers, "memory");

	free(controllers);
	if (!good)
		return false;
	file_write(CGROUP "/cgroup.subtree_control", "+memory");
	if (mkdir(BOX, 0755))
		die_errno(BOX);
	file_write(BOX "/memory.max", "64M");
	return true;
}

/* ---- inside the group ------------------------------------------------------ */

static void name_of(unsigned int task, char path[64])
{
	snprintf(path, 64, DIR "/sparse-%u", task);
}

static int map_sparse(void *arg)
{
	struct stat st;
	char path[64];
	int fd;

	name_of((uintptr_t)arg, path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	/* with one more byte it is another file to the module */
	while (fd >= 0 && !fstat(fd, &st) && !ftruncate(fd, st.st_size + 1))
		craft_look_at(fd);
	return 1;
}

static void start_tasks(pid_t *pids)
{
	static const struct craft_row row = { .start = 0, .cfa = 24, .fp = -16 };
	char path[64], self[16];
	unsigned int i;

	for (i = 0; i < TASKS; i++) {
		name_of(i, path);
		craft(path, plugs[1].text_len, &row, 1, ROOM);
		if (chown(path, NOBODY, NOBODY))
			die_errno(path);
	}
	/* children are born in the group of their parent */
	snprintf(self, sizeof(self), "%d", getpid());
	file_write(BOX "/cgroup.procs", self);
	for (i = 0; i < TASKS; i++)
		pids[i] = user_start(NOBODY, map_sparse, (void *)(uintptr_t)i);
	file_write(CGROUP "/cgroup.procs", self);
}

/* ---- outside the group ----------------------------------------------------- */

static int hold_memory(void *arg)
{
	volatile int *ready = arg;
	char *at = mmap(NULL, OUTSIDE_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(at, 1, OUTSIDE_BYTES);
	*ready = 1;
	for (;;)
		pause();
	return 0;
}

static pid_t start_outside(void)
{
	volatile int *ready = shared_memory(4096);
	pid_t pid = user_start(0, hold_memory, (void *)ready);

	while (!*ready)
		usleep(1000);
	munmap((void *)ready, 4096);
	return pid;
}

void test_box(void)
{
	unsigned long before, least, now, kills, in_box, most = 0;
	pid_t outside, pids[TASKS];
	unsigned int i;
	double end;

	if (!make_box()) {
		skip("box: this kernel has no memory controller");
		return;
	}
	file_write("/proc/self/oom_score_adj", "-1000");
	outside = start_outside();
	kills = figure("/proc/vmstat", "oom_kill ");
	least = before = available_mb();
	start_tasks(pids);
	for (end = seconds() + SECONDS; seconds() < end; usleep(10000)) {
		char *current = (char *)file_read(BOX "/memory.current", NULL);

		now = available_mb();
		least = now < least ? now : least;
		now = strtoul(current, NULL, 10) >> 20;
		most = now > most ? now : most;
		free(current);
	}
	for (i = 0; i < TASKS; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < TASKS; i++)
		reap(pids[i]);
	in_box = figure(BOX "/memory.events", "oom_kill ");
	kills = figure("/proc/vmstat", "oom_kill ") - kills;
	check(before - least <= MAX_FALL_MB,
	      "a box of 64 MiB: available memory fell by %lu MiB of %lu, its own use was %lu MiB at most",
	      before - least, before, most);
	if (check(!waitpid(outside, NULL, WNOHANG),
		  "root's task outside, %lu MiB, was not killed",
		  OUTSIDE_BYTES >> 20))
		stop(outside);
	check(kills <= in_box, "tasks killed for want of memory: %lu, of them in the box %lu",
	      kills, in_box);
	file_write("/proc/self/oom_score_adj", "0");
	if (rmdir(BOX))
		die_errno(BOX);
}

/* ---- mapping lists ----------------------------------------------------------- */

static int map_much(void *arg)
{
	volatile int *ready = arg;
	int fd = open("/plugs/plug1.so", O_RDONLY | O_CLOEXEC);
	unsigned int i;

	/* the same page again and again, so that no two mappings merge */
	for (i = 0; i < MAPPINGS; i++)
		if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
			 (off_t)plugs[1].text_off) == MAP_FAILED)
			return 1;
	*ready = 1;
	for (;;)
		pause();
	return 0;
}

static void start_listers(pid_t *pids)
{
	volatile int *ready = shared_memory(LISTERS * sizeof(*ready));
	char self[16];
	unsigned int i;

	snprintf(self, sizeof(self), "%d", getpid());
	file_write(BOX "/cgroup.procs", self);
	for (i = 0; i < LISTERS; i++)
		pids[i] = user_start(NOBODY, map_much, (void *)&ready[i]);
	file_write(CGROUP "/cgroup.procs", self);
	for (i = 0; i < LISTERS; i++)
		while (!ready[i])
			usleep(1000);
	munmap((void *)ready, LISTERS * sizeof(*ready));
}

/* The kernel's own figure is exact only after two seconds. */
static unsigned long slab_of_box(void)
{
	sleep(3);
	return figure(BOX "/memory.stat", "slab_unreclaimable ");
}

/*
 * The group uses less kernel memory when the module forgets its processes. It is charged more
 * than the bytes of the lists, because chunks are in slabs of 1 and 2 KiB.
 */
static void check_charged(const char *which)
{
	unsigned long long lists = module_stat("process_bytes");
	unsigned long before = slab_of_box(), after;

	no_module();
	after = slab_of_box();
	check(lists > LISTERS * MAPPINGS * 32ul && before > after &&
		      before - after > lists / 4 * 3,
	      "%s: lists of %llu bytes, their control group was charged %ld",
	      which, lists, (long)(before - after));
}

void test_box_lists(void)
{
	pid_t pids[LISTERS];
	unsigned int i;

	if (!make_box()) {
		skip("box_lists: this kernel has no memory controller");
		return;
	}
	start_listers(pids);
	check_charged("made while files are mapped");
	fresh_module("");
	module_prepare_all();
	check_charged("made by another process");
	for (i = 0; i < LISTERS; i++)
		stop(pids[i]);
	if (rmdir(BOX))
		die_errno(BOX);
}
