// SPDX-License-Identifier: GPL-2.0-only
/* Tasks that fork, execute, share an mm, are older than the module, or are 32-bit. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lifetime.h"
#include "frequent.h"

static int fds[PLUG_KINDS + 1];

static void open_plugs(void)
{
	char path[64];
	int i;

	for (i = 1; i <= PLUG_KINDS && !fds[i]; i++) {
		snprintf(path, sizeof(path), "/tmp/tasks-plug%d", i);
		fds[i] = plug_file(i, path);
	}
}

static void *map(int kind, void *at)
{
	return plug_map(&plugs[kind], fds[kind], at, MAP_FIXED);
}

void test_forked(void)
{
	unsigned int bad = 0, rounds = samples_wanted < 60 ? 5 : 20, i;
	struct tally sum = { 0 }, t;
	void *at = place();
	int pid;

	open_plugs();
	for (i = 0; i < rounds; i++) {
		map(1 + i % 4, at);
		fflush(stdout);
		pid = fork();
		if (!pid)
			_exit(whole_status(at));
		/* the child keeps the old mapping */
		map(1 + (i + 1) % 4, at);
		plug_sample(at, 10, &t);
		tally_add(&sum, &t);
		bad += !!reap(pid);
	}
	check_sum(&sum, "a parent that remaps after fork");
	check(!bad, "its children keep what was there: %u of %u wrong", bad, rounds);
	munmap(at, plugs[1].text_len);
}

static struct {
	void *at;
	volatile bool stop;
	unsigned long rounds;
} remapper;

static void *remap_thread(void *arg)
{
	unsigned int i;

	for (i = 0; !remapper.stop; i++) {
		map(1 + i % 4, remapper.at);
		remapper.rounds++;
	}
	return NULL;
}

/* fork() at random moments of another thread's mmap() */
void test_fork_race(void)
{
	unsigned int bad = 0, rounds = samples_wanted < 60 ? 5 : 25, i;
	pthread_t thread;
	int pid;

	open_plugs();
	remapper.at = place();
	remapper.stop = false;
	map(1, remapper.at);
	pthread_create(&thread, NULL, remap_thread, NULL);
	for (i = 0; i < rounds; i++) {
		fflush(stdout);
		pid = fork();
		if (!pid)
			_exit(whole_status(remapper.at));
		bad += !!reap(pid);
	}
	remapper.stop = true;
	pthread_join(thread, NULL);
	check(!bad, "fork while another thread remaps (%lu times): %u of %u children wrong",
	      remapper.rounds, bad, rounds);
	munmap(remapper.at, plugs[1].text_len);
}

void test_threads(void)
{
	struct tally t;
	pthread_t thread;
	void *at = place();

	open_plugs();
	map(4, at);
	remapper.at = place();
	remapper.stop = false;
	remapper.rounds = 0;
	pthread_create(&thread, NULL, remap_thread, NULL);
	plug_sample(at, samples_wanted, &t);
	remapper.stop = true;
	pthread_join(thread, NULL);
	check(is_whole(&t),
	      "while another thread remaps (%lu times): whole %lu, cut %lu, wrong %lu",
	      remapper.rounds, t.whole, t.cut, t.wrong);
	munmap(at, plugs[4].text_len);
	munmap(remapper.at, plugs[1].text_len);
}

void test_executed(void)
{
	int i, bad = 0, rounds = 5;

	for (i = 0; i < rounds; i++)
		bad += !!run_self("--whole", "/plugs/plug1.so");
	check(!bad, "a program that was executed: %d of %d wrong", bad, rounds);
}

static void *vfork_place;

static int map_and_leave(void *arg)
{
	map(3, vfork_place);
	_exit(0);
}

void test_vforked(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	void *at = place();
	int pid;

	open_plugs();
	map(2, at);
	pid = vfork();
	if (!pid) {
		execl("/proc/self/exe", "lifetime", "--nothing", "", NULL);
		_exit(99);
	}
	check(!reap(pid), "vfork and exec");
	check_whole(at, "the parent after vfork and exec");
	pid = vfork();
	if (!pid)
		_exit(0);
	reap(pid);
	check_whole(at, "the parent after vfork and exit");
	vfork_place = place();
	pid = clone(map_and_leave, stack + sizeof(stack), CLONE_VM | CLONE_VFORK |
		    SIGCHLD, NULL);
	if (pid < 0)
		die_errno("clone");
	reap(pid);
	check_whole(vfork_place, "what a vfork child mapped in shared memory");
	munmap(at, plugs[2].text_len);
	munmap(vfork_place, plugs[3].text_len);
}

/* ---- a task that is older than the module --------------------------------- */

struct shared {
	struct plug_stack stack;
	volatile int ready, stop;
};

static int start_spinner(struct shared *shared, void *at)
{
	int pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	map(3, at);
	while (!shared->stop) {
		plug_call(&shared->stack, at, PLUG_SPIN);
		shared->ready = 1;
	}
	_exit(0);
}

struct first_whole {
	struct plug_stack *stack;
	unsigned long cut, whole, later;
	struct tally total;
};

/*
 * Judges only samples of the leaf. The size of its frame cannot be derived from the code near
 * the pc, so the walk is whole only when the process is known. At the entry the return address
 * is at SP, and a walk may be whole while the process is being learned.
 */
static void watch(const struct sample *sample, void *arg)
{
	struct first_whole *f = arg;
	const struct plug_header *h = &f->stack->header;
	struct tally t = { 0 };

	if (sample->ip - (uintptr_t)f->stack->text < h->leaf)
		return;
	plug_judge(f->stack, sample, &t);
	if (t.whole)
		f->whole++;
	else if (t.cut && !f->whole)
		f->cut++;
	else if (t.cut)
		f->later++;
	tally_add(&f->total, &t);
}

void test_before(void)
{
	struct shared *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct first_whole f = { .stack = &shared->stack };
	struct sampler s;
	double end;
	int pid, err;

	open_plugs();
	no_module();
	pid = start_spinner(shared, place());
	while (!shared->ready)
		usleep(1000);
	usleep(20000);
	err = module_load("");
	if (err)
		die("insmod: %s", strerror(-err));
	sampler_open(&s, pid, -1, 500000);
	sampler_enable(&s, true);
	for (end = seconds() + 15; f.whole < 200 && seconds() < end;) {
		usleep(20000);
		sampler_drain(&s, watch, &f);
	}
	sampler_close(&s);
	shared->stop = 1;
	reap(pid);
	check(f.whole && !f.total.wrong && !f.later,
	      "a task from before insmod: cut %lu at first, then whole %lu, cut again %lu, wrong %lu",
	      f.cut, f.whole, f.later, f.total.wrong);
	munmap(shared, 4096);
}

void test_compat(void)
{
	char without[256], with[256];
	unsigned long n, m;

	if (access("/spin32", X_OK)) {
		skip("compat: no 32-bit program for this architecture");
		return;
	}
	no_module();
	n = frequent_callers("/spin32", without, sizeof(without));
	fresh_module("");
	if (!n) {
		skip("compat: this kernel runs no 32-bit programs");
		return;
	}
	m = frequent_callers("/spin32", with, sizeof(with));
	check(m && !strcmp(without, with),
	      "a 32-bit program: %lu samples%s without, %lu%s with the module", n,
	      without, m, with);
}

/* ---- rmmod while a debugger stops a task inside execve --------------------- */

void test_stopped(void)
{
	double start;
	int pid, rm, status, waited;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		execl("/proc/self/exe", "lifetime", "--nothing", "", NULL);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
	ptrace(PTRACE_CONT, pid, 0, 0);
	waitpid(pid, &status, 0);
	check(status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8),
	      "a task stopped inside execve");
	start = seconds();
	rm = fork();
	if (!rm)
		_exit(!!module_unload());
	for (waited = 0; waited < 1000; waited++) {
		if (waitpid(rm, &status, WNOHANG) == rm)
			break;
		usleep(10000);
	}
	check(waited < 1000 && !status, "rmmod meanwhile: %.1f s",
	      seconds() - start);
	ptrace(PTRACE_CONT, pid, 0, 0);
	check(!reap(pid), "the task goes on");
	if (waited == 1000)
		reap(rm);
}
