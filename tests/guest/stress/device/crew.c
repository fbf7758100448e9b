// SPDX-License-Identifier: GPL-2.0-only
/*
 * A crew: a process in which two threads call the device and a third thread closes descriptors
 * under them, opens them again, interrupts waiting calls, forks, and executes the program
 * again. All descriptors of the device are in a few slots, so that a call on a closed
 * descriptor reaches no other file.
 */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"
#include "ustack.h"

#define NOBODY 65534
#define CHILD_CALLS 8

static struct caller callers[CALLERS + 1];	/* the last thread is the closer */
static pid_t caller_tids[CALLERS];

/*
 * Changes the ids of this thread only; the C library's function changes those of all threads.
 */
static void become_nobody(void)
{
	if (syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY))
		die_errno("setresuid");
}

static void *caller_main(void *arg)
{
	struct caller *c = arg;

	if (c->nobody)
		become_nobody();
	__atomic_store_n(&caller_tids[c - callers], (pid_t)syscall(SYS_gettid),
			 __ATOMIC_RELEASE);
	while (!shared->stop) {
		ADD(shared->alive[c->crew]);
		if (shared->quiet)
			usleep(1000);
		else
			call_any(c);
	}
	__atomic_store_n(&caller_tids[c - callers], 0, __ATOMIC_RELEASE);
	return NULL;
}

static void slot_open(struct caller *c, int slot)
{
	int fd = open(USTACK_DEVICE, O_RDWR | O_CLOEXEC | (below(c, 4) ? O_NONBLOCK : 0));

	if (fd < 0)
		return;
	ADD(shared->opened);
	/* the slot was closed, and its number was the lowest free one */
	if (fd == slot)
		return;
	/* this closes the slot's old descriptor, even while a call uses it */
	if (dup3(fd, slot, O_CLOEXEC) < 0)
		die_errno("dup3");
	close(fd);
}

static void slot_close(int slot)
{
	if (!close(slot))
		ADD(shared->closed);
}

/* Interrupts reads that wait for an event. */
static void interrupt_callers(void)
{
	unsigned int i;

	for (i = 0; i < CALLERS; i++) {
		pid_t tid = __atomic_load_n(&caller_tids[i], __ATOMIC_ACQUIRE);

		if (tid)
			syscall(SYS_tgkill, getpid(), tid, SIGUSR1);
	}
}

/* Keeps all slots closed as long as the unloader asks for it. */
static void while_quiet(void)
{
	unsigned int i;

	while (shared->quiet && !shared->stop) {
		for (i = 0; i < SLOTS; i++)
			slot_close(SLOT_FIRST + (int)i);
		interrupt_callers();
		usleep(1000);
	}
}

/* The child inherits regions and descriptors, and has an mm of its own. */
static void fork_once(struct caller *c)
{
	unsigned int i;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return;
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (i = 0; i < CHILD_CALLS; i++)
			call_any(c);
		_exit(0);
	}
	ADD(shared->forks);
	shared->newest = pid;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}

static void execute_itself(unsigned int crew)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", crew);
	ADD(shared->execs);
	execl("/proc/self/exe", "device", "--crew", number, NULL);
	die_errno("execl");
}

static void closer_main(struct caller *c)
{
	int slot;

	while (!shared->stop) {
		while_quiet();
		slot = SLOT_FIRST + (int)below(c, SLOTS);
		switch (below(c, 64)) {
		case 0:
			fork_once(c);
			break;
		case 1:
			if (!below(c, 4))
				execute_itself(c->crew);
			break;
		case 2 ... 9:
			interrupt_callers();
			break;
		case 10 ... 15:
			slot_close(slot);
			break;
		case 16 ... 35:
			slot_open(c, slot);
			break;
		default:
			call_any(c);
			break;
		}
		if (!below(c, 4))
			usleep((useconds_t)below(c, 3000));
	}
}

static void on_signal(int number)
{
}

void crew_run(unsigned int crew)
{
	struct sigaction action = { .sa_handler = on_signal };
	unsigned long start = ADD(shared->starts[crew]);
	pthread_t threads[CALLERS];
	uint8_t *region;
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* let the unloader and the kernel's own threads run first */
	setpriority(PRIO_PROCESS, 0, 10);
	sigaction(SIGUSR1, &action, NULL);
	region = mmap(NULL, REGION_PAGES * PAGE, PROT_READ | PROT_EXEC,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i <= CALLERS; i++)
		caller_init(&callers[i], (shared->seed << 32) + (start << 8) +
			    crew * (CALLERS + 1) + i, crew, region);
	for (i = 0; i < CALLERS; i++) {
		callers[i].nobody = crew == CREW_NOBODY;
		callers[i].may_wait = true;
		if (pthread_create(&threads[i], NULL, caller_main, &callers[i]))
			die("a thread cannot be started");
	}
	closer_main(&callers[CALLERS]);
	for (i = 0; i < CALLERS; i++)
		while (pthread_tryjoin_np(threads[i], NULL) == EBUSY) {
			interrupt_callers();
			usleep(1000);
		}
	_exit(0);
}
