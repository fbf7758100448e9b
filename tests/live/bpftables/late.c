// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that the keeper's first look at all processes reaches a process that the kernel lists
 * after a million mappings of other processes. The kernel ends one read() of such a list with
 * EAGAIN after a million entries (MAX_ITER_OBJECTS in kernel/bpf/bpf_iter.c).
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "keeping.h"
#include "tables.h"

#define PAGE 4096u
#define MAPPINGS 60000u		/* of each process; the kernel allows 65,530 */
#define PROCESSES 18u		/* more than 1,000,000 mappings in all */

static unsigned int passed, failed;

static void die(const char *what)
{
	fprintf(stderr, "late: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void check(bool good, const char *what)
{
	passed += good;
	failed += !good;
	if (!good)
		printf("FAILED: %s\n", what);
}

/* Every second page has another protection, so that the kernel does not merge mappings. */
static bool many_mappings(void)
{
	char *place = mmap(NULL, (size_t)MAPPINGS * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	if (place == MAP_FAILED)
		return false;
	for (i = 0; i < MAPPINGS; i += 2)
		if (mprotect(place + (size_t)i * PAGE, PAGE, PROT_READ))
			return false;
	return true;
}

/* Starts a process, with MAPPINGS mappings if @many; it lives until killed. Return: its pid. */
static pid_t begin(bool many)
{
	char word = 'r';
	int ready[2];
	pid_t pid;

	if (pipe(ready))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if ((many && !many_mappings()) || write(ready[1], &word, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &word, 1) != 1)
		die("start a process");
	close(ready[0]);
	return pid;
}

int main(void)
{
	static struct tables_space space;
	pid_t pids[PROCESSES], last;
	struct keeping k;
	unsigned int i;
	uint32_t tgid;

	for (i = 0; i < PROCESSES; i++)
		pids[i] = begin(true);
	last = begin(false);
	/* the kernel lists processes in order of their pids, and new pids may start low again */
	for (i = 0; i < PROCESSES; i++)
		if (pids[i] > last)
			die("new pids started low again; run the test again");
	tgid = (uint32_t)last;
	keeping_begin(&k);
	keeping_settle(k.k);
	check(!bpf_map_lookup_elem(k.maps.spaces, &tgid, &space), "the last process is known");
	check(space.window[0].start != ~0ull && space.window[0].start, "and its mappings are known");
	keeping_end(&k);
	for (i = 0; i < PROCESSES; i++)
		kill(pids[i], SIGKILL);
	kill(last, SIGKILL);
	while (wait(NULL) > 0)
		;
	printf("late: %u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
