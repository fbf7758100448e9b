// SPDX-License-Identifier: GPL-2.0-only
/*
 * A FUSE server stops answering while a process needs it: other processes are still learned,
 * and rmmod ends. In the first two cases the process is older than the module.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fuse.h"
#include "users.h"

#define MOUNT "/mnt/stalled"
#define LIB MOUNT "/lib"
#define PERIOD_NS 500000
/* Time limit of rmmod. With the fault it never ended without an answer of the server. */
#define UNLOAD_SECONDS 30
#define LEARN_SECONDS 30

/* Shared by the processes of one case. */
struct stall {
	volatile int mapped;	/* the file is mapped, or mmap() is about to wait */
	volatile int faulting;	/* it is about to wait for a page */
	volatile pid_t spinner;	/* the sampled thread */
};

static struct stall *stall;

static int open_lib(void)
{
	int fd = open(LIB, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die_errno(LIB);
	return fd;
}

static void *map_lib(void)
{
	return plug_map(&plugs[1], open_lib(), NULL, 0);
}

static void *spin_thread(void *arg)
{
	stall->spinner = syscall(SYS_gettid);
	for (;;)
		asm volatile("");
	return NULL;
}

/* Holds the lock of a page of the file: waits for the server to answer. */
static int fault_page(void *arg)
{
	volatile const char *at = map_lib();

	stall->faulting = 1;
	return at[0];
}

/* Spins in one thread, and in another waits for that page with mmap_lock held. */
static int map_behind_page(void *arg)
{
	pthread_t thread;
	int fd = open_lib();

	pthread_create(&thread, NULL, spin_thread, NULL);
	while (!stall->spinner)
		usleep(1000);
	stall->mapped = 1;
	plug_map(&plugs[1], fd, NULL, 0);
	return 0;
}

/* Has the file mapped, none of which was read, and spins. */
static int map_and_spin(void *arg)
{
	map_lib();
	stall->mapped = 1;
	spin_thread(NULL);
	return 0;
}

/* ---- root's process, which is older than the module ---------------------------- */

struct victim {
	struct plug_stack stack;
	volatile int ready;
};

static int run_plug(void *arg)
{
	struct victim *v = arg;
	int fd = open("/plugs/plug3.so", O_RDONLY | O_CLOEXEC);
	void *at = plug_map(&plugs[3], fd, place(), MAP_FIXED);

	for (;;) {
		plug_call(&v->stack, at, PLUG_SPIN);
		v->ready = 1;
	}
	return 0;
}

struct first_whole {
	struct plug_stack *stack;
	struct tally before, after;	/* the first whole sample */
};

static void watch(const struct sample *sample, void *arg)
{
	struct first_whole *f = arg;
	struct tally t = { 0 };

	plug_judge(f->stack, sample, &t);
	tally_add(t.whole || f->after.whole ? &f->after : &f->before, &t);
}

static void check_learned(pid_t pid, struct victim *v, const char *what)
{
	struct first_whole f = { .stack = &v->stack };
	double end = seconds() + LEARN_SECONDS;
	struct sampler s;

	sampler_open(&s, pid, -1, PERIOD_NS);
	sampler_enable(&s, true);
	while (f.after.whole < samples_wanted && seconds() < end) {
		usleep(20000);
		sampler_drain(&s, watch, &f);
	}
	sampler_close(&s);
	check(is_whole(&f.after) && !f.before.wrong,
	      "%s: root's process from before insmod: cut %lu at first, then whole %lu, cut again %lu, wrong %lu",
	      what, f.before.cut, f.after.whole, f.after.cut,
	      f.before.wrong + f.after.wrong);
}

/* Samples the user's process, so that the module meets it. */
static void meet_spinner(void)
{
	double end = seconds() + 10;
	struct sampler s;

	sampler_open(&s, stall->spinner, -1, PERIOD_NS);
	sampler_enable(&s, true);
	while (s.samples < 10 && seconds() < end) {
		usleep(20000);
		sampler_drain(&s, NULL, NULL);
	}
	sampler_close(&s);
	if (s.samples < 10)
		die("nobody's process did not run");
	/* the work for its first sample has begun */
	usleep(200000);
}

static void check_unload(struct fuse *fuse, const char *what)
{
	pid_t pid;
	double took = try_unload(UNLOAD_SECONDS, &pid);

	check(took >= 0, "%s: rmmod while the server is silent: %.1f s%s", what,
	      took < 0 ? UNLOAD_SECONDS : took, took < 0 ? " and more" : "");
	fuse_kill(fuse);
	if (took < 0 && reap(pid))
		die("rmmod failed when the server was gone");
}

/* ---- the cases ---------------------------------------------------------------- */

static struct fuse *begin(const char *name)
{
	struct fuse *fuse = fuse_start(MOUNT, plugs[1].bytes, plugs[1].len);

	if (!fuse)
		skip("%s: this kernel has no FUSE", name);
	stall = shared_memory(sizeof(*stall));
	return fuse;
}

static void wait_for(volatile int *what)
{
	while (!*what)
		usleep(1000);
	usleep(100000);
}

static void end(struct fuse *fuse)
{
	fuse_stop(fuse);
	munmap(stall, sizeof(*stall));
}

/* Everything from insmod on; @users are processes of the user nobody. */
static void judge(struct fuse *fuse, const char *what, const pid_t *users, int nr)
{
	struct victim *v = shared_memory(sizeof(*v));
	pid_t victim = user_start(0, run_plug, v);
	int err;

	wait_for(&v->ready);
	err = module_load("");
	if (err)
		die("insmod: %s", strerror(-err));
	meet_spinner();
	check_learned(victim, v, what);
	check_unload(fuse, what);
	stop(victim);
	while (nr)
		stop(users[--nr]);
	munmap(v, sizeof(*v));
}

/* 'D': it waits uninterruptibly */
static char state_of(pid_t pid)
{
	char path[64], *text, *at, state;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	text = (char *)file_read(path, NULL);
	at = strrchr(text, ')');
	state = at ? at[2] : 0;
	free(text);
	return state;
}

void test_stalled_mmap(void)
{
	struct fuse *fuse = begin("stalled_mmap");
	pid_t users[2];

	if (!fuse)
		return;
	no_module();
	fuse->silent = true;
	users[0] = user_start(NOBODY, fault_page, NULL);
	wait_for(&stall->faulting);
	if (!fuse->unanswered)
		die("no page was asked for");
	fuse->direct = true;
	users[1] = user_start(NOBODY, map_behind_page, NULL);
	wait_for(&stall->mapped);
	if (state_of(users[1]) != 'D')
		die("mmap() does not wait for the page");
	judge(fuse, "a process stuck in mmap()", users, 2);
	end(fuse);
}

void test_stalled_read(void)
{
	struct fuse *fuse = begin("stalled_read");
	pid_t user;

	if (!fuse)
		return;
	no_module();
	user = user_start(NOBODY, map_and_spin, NULL);
	wait_for(&stall->mapped);
	fuse->silent = true;
	judge(fuse, "a process from before insmod", &user, 1);
	end(fuse);
}

static int map_only(void *arg)
{
	stall->mapped = 1;
	map_lib();
	for (;;)
		pause();
	return 0;
}

/* The module is loaded when the file is mapped. */
void test_stalled_map(void)
{
	struct fuse *fuse = begin("stalled_map");
	pid_t user;

	if (!fuse)
		return;
	fuse->silent = true;
	user = user_start(NOBODY, map_only, NULL);
	wait_for(&stall->mapped);
	check_unload(fuse, "a process that maps the file");
	stop(user);
	end(fuse);
}
