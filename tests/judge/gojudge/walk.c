// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks the stacks of a running program in two ways: by the core with the tables that
 * `ustack supply` would give the module, and by the chain of frame pointers, which Go keeps
 * for such tools. The program is stopped again and again at arbitrary places, and each
 * thread's stack is walked in both ways.
 *
 * Checks:
 *	- each frame in the chain of frame pointers is in the walk, in the same order
 *	- there the walk has the same FP
 *	- the walk ends as complete, in a function that has no caller
 *
 * The walk has a frame that the chain lacks: the sampled function's caller, as long as FP is
 * not set. The chain continues from mcall() and morestack() into a stack that is not the
 * thread's any more.
 *
 * usage: walk [--samples N] [--whole PERCENT] [--verbose] PROGRAM [ARG...]
 *	--whole PERCENT: so many walks must end as complete (default: 99.5)
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <dirent.h>

#include "../lazy/user_regs.h"
#include "tables.h"

#define FRAMES 512u
#define SHOWN 10u

#define CALLBACK "runtime.cgocallback"

struct frame {
	u64 pc;
	u64 sp;
	u64 fp;
};

struct walk {
	struct ustack_mem mem;
	pid_t tid;
	struct user_regs_struct regs;
	struct frame frames[FRAMES];
	unsigned int nr;
	enum ustack_reason end;
};

struct sums {
	u64 walks;
	u64 frames;
	u64 ends[32];
	u64 links;	/* links of the chain of frame pointers */
	u64 missing;	/* links that are not in the walk */
	u64 wrong_fp;
	u64 behind;	/* links after the end of a stack */
	u64 callbacks;	/* links after C code that has called Go */
	u64 cut;	/* links after a walk that ended early */
	u64 odd_end;
	u64 moved;	/* missing, wrong or odd ones in stacks that may have been moved */
	u64 unborn;	/* threads that have not run an instruction yet; they are not walked */
	unsigned int shown;
};

static struct tables tables;
static bool verbose;

static bool read_u64(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	const struct walk *w = (const struct walk *)mem;
	struct iovec to = { ret, 8 }, from = { (void *)(uintptr_t)addr, 8 };

	return process_vm_readv(w->tid, &to, 1, &from, 1, 0) == 8;
}

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	return user_regs_read(&((const struct walk *)mem)->regs, reg, ret);
}

static enum ustack_reason one_step(struct walk *w, struct ustack_state *s)
{
	u64 key = ustack_state_key(s);
	const struct mapping *m = tables_find(&tables, key);
	const struct ustack_rule *rule = m ? tables_rule(m, key) : NULL;

	return rule ? ustack_step(&ustack_arch_x86_64, rule, s, &w->mem) :
		      ustack_step_blind(&ustack_arch_x86_64, s, &w->mem);
}

static void walk_stack(struct walk *w)
{
	struct ustack_state s = {
		.pc = w->regs.rip, .sp = w->regs.rsp, .fp = w->regs.rbp,
		.exact = true, .regs_in = USTACK_REGS_SAMPLE,
	};

	w->mem = (struct ustack_mem){
		.read_u64 = read_u64, .read_reg = read_reg, .ra_mask = ~0ull,
		.user_end = (1ull << 47) - 4096,
	};
	w->end = USTACK_OK;
	for (w->nr = 0; w->nr < FRAMES && !w->end; w->nr++) {
		w->frames[w->nr].pc = s.pc;
		w->frames[w->nr].sp = s.sp;
		if (!ustack_state_fp(&s, &w->mem, read_u64, &w->frames[w->nr].fp))
			w->frames[w->nr].fp = 0;
		w->end = one_step(w, &s);
	}
}

static void print_walk(const struct walk *w, struct sums *sums, const char *what)
{
	unsigned int i;

	if (!verbose && sums->shown++ >= SHOWN)
		return;
	printf("%s; ends %s:\n", what, w->end ? ustack_reason_name(w->end) : "never");
	for (i = 0; i < w->nr && i < 40; i++)
		printf("  0x%" PRIx64 " fp 0x%" PRIx64 " %s\n", w->frames[i].pc,
		       w->frames[i].fp, tables_name(&tables, w->frames[i].pc - !!i));
}

/* Whether a function's name is in a list, which NULL ends. */
static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static const char *const left[] = {
	"runtime.mcall", "runtime.morestack", NULL
};

static const char *const first[] = {
	"runtime.goexit", "runtime.mstart", "runtime.rt0_go", NULL
};

/* The frame with that return address, from @at on. If there are several, as in recursion, the one
 * with that FP is best, as links may leave out the first. @w->nr if there is none.
 */
static unsigned int find_frame(const struct walk *w, unsigned int at, u64 ra, u64 fp)
{
	unsigned int i, any = w->nr;

	for (i = at; i < w->nr; i++) {
		if (w->frames[i].pc != ra)
			continue;
		if (w->frames[i].fp == fp)
			return i;
		if (any == w->nr)
			any = i;
	}
	return any;
}

static bool next_link(struct walk *w, u64 *fp, u64 *ra)
{
	u64 at = *fp;

	return at && !(at & 7) && read_u64(&w->mem, at, fp) &&
	       read_u64(&w->mem, at + 8, ra) && tables_find(&tables, *ra - 1);
}

static bool is_in(const struct walk *w, unsigned int i, const char *name)
{
	return !strcmp(tables_name(&tables, w->frames[i].pc - !!i), name);
}

/*
 * duffzero() and duffcopy() are called with FP at a record of their own. It is below SP before
 * and after the call, and only the call completes it. If the sample, or a signal, is within
 * this, the frame's own record is the next one in the chain.
 */
static bool past_own_record(struct walk *w, u64 *fp)
{
	unsigned int i;

	for (i = 0; i < w->nr; i++)
		if (w->frames[i].fp == *fp && w->frames[i].sp - 16 == *fp)
			return read_u64(&w->mem, *fp, fp);
	return true;
}

/*
 * A goroutine that works for the garbage collector does so on the system stack, and counts as
 * waiting. So its own stack may be scanned meanwhile, and moved if it is far too large. Only the
 * goroutine's state has the new place, until it continues. The FP that systemstack() has saved
 * points to the old one, which another stack may use by now, or may take between two reads.
 *
 * Two functions work in this way. gcAssistAlloc() helps the collector. gcBgMarkWorker() belongs
 * to it, and shrinkstack() should not move its stack: it compares the function that the
 * goroutine was started with, which since "go gcBgMarkWorker(ready)" is the wrapper of that call.
 */
static bool may_have_moved(const struct walk *w)
{
	static const char *const workers[] = {
		"runtime.gcAssistAlloc", "runtime.gcBgMarkWorker.", NULL
	};
	const char *const *worker, *called;
	unsigned int i;

	for (i = 1; i < w->nr && !is_in(w, i, "runtime.systemstack"); i++)
		;
	if (i >= w->nr)
		return false;
	called = tables_name(&tables, w->frames[i - 1].pc - (i > 1));
	for (worker = workers; *worker; worker++)
		if (!strncmp(called, *worker, strlen(*worker)))
			return true;
	return false;
}

/* Counts and prints a fault, @nr times, unless the stack may have been moved. */
static void odd(const struct walk *w, struct sums *sums, u64 *sum, u64 nr, const char *what)
{
	if (may_have_moved(w))
		sums->moved++;
	else
		*sum += nr;
	print_walk(w, sums, what);
}

/*
 * A goroutine's stack may be moved while Go runs that C has called. The frame pointers that C has
 * saved then lead to the old place, where its frames still are.
 */
static bool is_after_callback(const struct walk *w, unsigned int i)
{
	while (i--)
		if (is_in(w, i, CALLBACK))
			return true;
	return false;
}

/* @lost links are not in the walk; the last frame before them is @at - 1. */
static void judge_lost(const struct walk *w, struct sums *sums, unsigned int at,
		       u64 lost, bool found_again)
{
	if (!lost)
		return;
	if (is_after_callback(w, at)) {
		sums->callbacks += lost;
	} else if (found_again || (w->end == USTACK_COMPLETE &&
				   is_in(w, w->nr - 1, "runtime.goexit"))) {
		odd(w, sums, &sums->missing, lost, "a frame is missing");
	} else if (w->end == USTACK_COMPLETE) {
		sums->behind += lost;
	} else {
		sums->cut += lost;
	}
}

/* Follows the frame pointers; stops at a word that is no return address into code. */
static void judge_links(struct walk *w, struct sums *sums)
{
	u64 fp = w->regs.rbp, ra, lost = 0;
	unsigned int at = 1, i, n;

	for (n = 0; n < FRAMES && past_own_record(w, &fp) && next_link(w, &fp, &ra); n++) {
		sums->links++;
		i = find_frame(w, at, ra, fp);
		if (i == w->nr) {
			lost++;
			continue;
		}
		judge_lost(w, sums, at, lost, true);
		if (w->frames[i].fp != fp && is_after_callback(w, i))
			sums->callbacks++;
		else if (w->frames[i].fp != fp)
			odd(w, sums, &sums->wrong_fp, 1, "another FP");
		lost = 0;
		at = i + 1;
	}
	judge_lost(w, sums, at, lost, false);
}

static void judge(struct walk *w, struct sums *sums)
{
	const char *last;

	walk_stack(w);
	last = tables_name(&tables, w->frames[w->nr - 1].pc - (w->nr > 1));
	sums->walks++;
	sums->frames += w->nr;
	sums->ends[w->end < 32 ? w->end : 0]++;
	if (w->end == USTACK_COMPLETE && !is_one_of(last, first) &&
	    !is_one_of(last, left) && *last) {
		odd(w, sums, &sums->odd_end, 1, "no caller");
	} else if (w->end != USTACK_COMPLETE && verbose) {
		print_walk(w, sums, "not complete");
	}
	judge_links(w, sums);
}

/*
 * Whether a new thread is still at the instruction after clone(). libc has no CFI there, and on a
 * busy machine a new thread stays there for long. After a signal the kernel no longer says that
 * it returns from clone(), but the place is the same.
 */
static bool is_unborn(const struct walk *w)
{
	static u64 place;

	if (w->regs.rax)
		return false;
	if (w->regs.orig_rax == SYS_clone || w->regs.orig_rax == SYS_clone3)
		place = w->regs.rip;
	return w->regs.rip == place;
}

/* Stops one thread, walks its stack, and lets it continue. */
static void sample(struct walk *w, pid_t tid, struct sums *sums)
{
	struct iovec regs = { &w->regs, sizeof(w->regs) };
	int status;

	if (ptrace(PTRACE_INTERRUPT, tid, 0, 0))
		return;
	do {
		if (waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
			return;
		/* a pending signal is delivered to the program */
		if (status >> 16 != PTRACE_EVENT_STOP &&
		    ptrace(PTRACE_CONT, tid, 0, status >> 16 ? 0 : WSTOPSIG(status)))
			return;
	} while (status >> 16 != PTRACE_EVENT_STOP);
	w->tid = tid;
	if (!ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &regs)) {
		if (!tables_find(&tables, w->regs.rip))
			tables_update(&tables);
		if (is_unborn(w))
			sums->unborn++;
		else
			judge(w, sums);
	}
	ptrace(PTRACE_CONT, tid, 0, 0);
}

/* Handles stops that sample() did not cause: signals, new threads. */
static bool drain(pid_t pid)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
		if (tid == pid && !WIFSTOPPED(status))
			return false;
		if (WIFSTOPPED(status))
			ptrace(PTRACE_CONT, tid, 0, status >> 16 ? 0 : WSTOPSIG(status));
	}
	return true;
}

/* Return: whether the program still runs. */
static bool sample_all(struct walk *w, struct sums *sums)
{
	char name[32];
	struct dirent *e;
	DIR *tasks;

	snprintf(name, sizeof(name), "/proc/%d/task", tables.pid);
	tasks = opendir(name);
	while (tasks && (e = readdir(tasks)))
		if (*e->d_name != '.')
			sample(w, atoi(e->d_name), sums);
	if (tasks)
		closedir(tasks);
	return tasks;
}

static pid_t start(char **argv)
{
	const struct timespec soon = { 0, 100 * 1000 * 1000 };
	pid_t pid = fork();

	if (!pid) {
		execv(*argv, argv);
		_exit(127);
	}
	nanosleep(&soon, NULL);
	if (pid < 0 || ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_EXITKILL |
			      PTRACE_O_TRACECLONE)) {
		perror("walk: ptrace");
		exit(1);
	}
	return pid;
}

/* Seizes threads that were started before the program was seized. */
static void seize_threads(pid_t pid)
{
	char name[32];
	struct dirent *e;
	DIR *tasks;

	snprintf(name, sizeof(name), "/proc/%d/task", pid);
	tasks = opendir(name);
	while (tasks && (e = readdir(tasks)))
		if (*e->d_name != '.' && atoi(e->d_name) != pid)
			ptrace(PTRACE_SEIZE, atoi(e->d_name), 0, PTRACE_O_TRACECLONE);
	if (tasks)
		closedir(tasks);
}

static void print_sums(const struct sums *s)
{
	unsigned int i;

	printf("%" PRIu64 " walks, %" PRIu64 " frames; %" PRIu64 " links of frame pointers, %"
	       PRIu64 " missing, %" PRIu64 " with another FP, %" PRIu64
	       " in C that has called Go, %" PRIu64 " behind the first frame, %" PRIu64
	       " behind the end of a walk\n", s->walks, s->frames, s->links, s->missing,
	       s->wrong_fp, s->callbacks, s->behind, s->cut);
	for (i = 0; i < 32; i++)
		if (s->ends[i])
			printf("  %8" PRIu64 " (%.2f %%) ended %s\n", s->ends[i],
			       100.0 * (double)s->ends[i] / (double)s->walks,
			       i ? ustack_reason_name(i) : "never");
	if (s->odd_end)
		printf("  %8" PRIu64 " ended as complete where there is a caller\n", s->odd_end);
	if (s->unborn)
		printf("  %8" PRIu64 " threads that had not begun\n", s->unborn);
	if (s->moved)
		printf("  %8" PRIu64 " faults in stacks that the collector may have moved\n", s->moved);
}

int main(int argc, char **argv)
{
	const struct timespec pause = { 0, 500 * 1000 };
	struct sums sums = { 0 };
	static struct walk w;
	u64 samples = 2000;
	double whole = 99.5;

	for (argv++; *argv && **argv == '-'; argv++) {
		if (!strcmp(*argv, "--verbose"))
			verbose = true;
		else if (!strcmp(*argv, "--samples") && argv[1])
			samples = strtoull(*++argv, NULL, 0);
		else if (!strcmp(*argv, "--whole") && argv[1])
			whole = strtod(*++argv, NULL);
	}
	if (!*argv) {
		fputs("usage: walk [--samples N] [--whole PERCENT] [--verbose] PROGRAM [ARG...]\n",
		      stderr);
		return 2;
	}
	tables.pid = start(argv);
	seize_threads(tables.pid);
	tables_update(&tables);
	while (sums.walks < samples && drain(tables.pid) && sample_all(&w, &sums))
		nanosleep(&pause, NULL);
	kill(tables.pid, SIGKILL);
	print_sums(&sums);
	return sums.missing || sums.wrong_fp || sums.odd_end || sums.walks < samples ||
	       sums.moved > sums.walks / 200 ||
	       (double)sums.ends[USTACK_COMPLETE] < whole / 100 * (double)sums.walks;
}
