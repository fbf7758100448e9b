// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program instruction by instruction from its first one on, and keeps its true stack by
 * following the instructions: a call puts its return address on it, and an instruction that
 * moves SP above that address removes it. Now and then the stack is walked by the tables that
 * the module would have, and the result must be the true stack. This judges rows of code that
 * has no CFI. It shares nothing with the code that makes these rows but the length of
 * instructions. The registers that an instruction writes by x86_regs.h are compared with
 * those that it did write (regs.h).
 *
 * A walk may end early, but each of its frames must be right. With only rows and proven steps,
 * no frame may be wrong; guessed steps are counted separately.
 *
 * usage: shadow [--every N] [--steps N] [--after-stop 1] [--bad-cfi 1] PROGRAM [ARGUMENT...]
 * \t--every N: instructions between walks (7)
 * \t--steps N: at most so many instructions (3000000)
 * \t--after-stop 1: the first steps are left out, until SIGSTOP stops the program. The true stack is
 * \t               then the first one that rows find, without a guess
 * \t--bad-cfi 1: a walk that comes to no code is cut, and not wrong: the program's CFI is wrong
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lazy/space.h"
#include "../lazy/user_regs.h"
#include "regs.h"
#include "sframe/x86_insn.h"
#include "step.h"

#define MAX_DEPTH 4096u
#define MAX_FRAMES 512u
#define SHOWN 8u
/* Instructions after a stop until rows lead to the end of the stack. */
#define MAX_WAIT 100000
/*
 * As in kmod/callchain.c: the distance of _start's frame below the SP that execve(2) has left.
 */
#define ENTRY_FRAME_BYTES 32u

/* A call that has not returned: the address of its return address. */
struct call {
	u64 at;
	u64 ra;
};

struct sums {
	u64 steps;
	u64 walks;
	u64 whole;		/* walks to the entry code, without a guess */
	u64 whole_guessed;	/* walks to the entry code, with guesses */
	u64 cut;
	u64 wrong;
	u64 wrong_guessed;
	u64 calls;
};

struct target {
	struct ustack_mem mem;
	pid_t pid;
	struct user_regs_struct regs;
	struct space space;
	bool bad_cfi;
	u64 start_sp;
	struct call calls[MAX_DEPTH];
	unsigned int depth;
	struct sums sums;
	struct regs_sums regs_sums;
};

static bool read_bytes(const struct target *t, u64 addr, void *ret, size_t len)
{
	struct iovec to = { ret, len };
	struct iovec from = { (void *)(uintptr_t)addr, len };

	return process_vm_readv(t->pid, &to, 1, &from, 1, 0) == (ssize_t)len;
}

static bool read_word(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	return read_bytes((struct target *)mem, addr, ret, sizeof(*ret));
}

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	return user_regs_read(&((const struct target *)mem)->regs, reg, ret);
}

static bool is_code(struct ustack_mem *mem, u64 addr)
{
	const struct space_map *m = space_find(&((struct target *)mem)->space, addr);

	return m && (m->section.table || !mem->files_only);
}

static bool is_entry_frame(struct target *t, const struct ustack_state *s)
{
	u64 fp;

	return !s->exact && t->start_sp - s->sp <= ENTRY_FRAME_BYTES &&
	       ustack_state_fp(s, &t->mem, read_word, &fp) && !fp;
}

/* A return address in no file that follows no call: the step before went wrong. */
static bool is_garbage(struct target *t, const struct ustack_state *s)
{
	u64 entry;

	return !s->exact && s->pc != t->mem.followed &&
	       !ustack_mem_is_file_code(&t->mem, ustack_state_key(s)) &&
	       !ustack_arch_x86_64.call_target(&t->mem, s->pc, &entry);
}

static enum ustack_reason step(struct target *t, struct ustack_state *s)
{
	const struct ustack_arch *arch = &ustack_arch_x86_64;
	const struct ustack_rule *rule = space_rule(&t->space, ustack_state_key(s));
	enum ustack_reason why;

	t->mem.may_search = !ustack_mem_is_file_code(&t->mem, ustack_state_key(s));
	why = rule ? ustack_step(arch, rule, s, &t->mem) : ustack_step_blind(arch, s, &t->mem);
	if (!why || why == USTACK_COMPLETE)
		return why;
	if (is_entry_frame(t, s))
		return USTACK_COMPLETE;
	return rule ? why : ustack_step_follow(arch, s, &t->mem);
}

static struct ustack_state sampled_frame(struct target *t)
{
	t->mem.scanned = t->mem.guessed = 0;
	t->mem.followed = 0;
	t->mem.search = (struct ustack_search){ 0 };
	return (struct ustack_state){
		.pc = t->regs.rip, .sp = t->regs.rsp, .fp = t->regs.rbp,
		.regs_in = USTACK_REGS_SAMPLE, .scratch_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
}

/*
 * Walks the stack as the module does it: kmod/callchain.c. But rows alone may not lead to garbage:
 * then the last frame is kept, and the walk is wrong.
 * @ret: the frames, with SP after each one's call
 * @nr: number of frames
 */
static enum ustack_reason walk(struct target *t, struct ustack_state *ret, unsigned int *nr)
{
	struct ustack_state s = sampled_frame(t);
	enum ustack_reason why;
	unsigned int n = 0;

	for (ret[n++] = s;;) {
		why = USTACK_BAD_RA;
		t->mem.frames = n;
		if (n == 1 || !is_garbage(t, &s))
			why = step(t, &s);
		else if (t->bad_cfi || t->mem.guessed)
			t->mem.frames = --n;
		if (why && why != USTACK_COMPLETE && ustack_step_back(&s, &t->mem)) {
			n = t->mem.search.frames;
			continue;
		}
		if (!why && n == MAX_FRAMES)
			why = USTACK_DEPTH;
		if (why)
			break;
		ret[n++] = s;
	}
	*nr = n;
	return why;
}

static void show(const struct target *t, const struct ustack_state *frame, unsigned int nr,
		 enum ustack_reason why, const char *what)
{
	unsigned int i;

	printf("%s: rip %llx rsp %llx, walk %s:", what, t->regs.rip, t->regs.rsp,
	       ustack_reason_name(why));
	for (i = 1; i < nr; i++)
		printf(" %" PRIx64, (uint64_t)frame[i].pc);
	printf("\n  true:");
	for (i = t->depth; i--;)
		printf(" %" PRIx64, (uint64_t)t->calls[i].ra);
	puts("");
}

static bool is_true(const struct target *t, const struct ustack_state *frame, unsigned int nr)
{
	unsigned int i;

	for (i = 1; i < nr; i++)
		if (i > t->depth || frame[i].pc != t->calls[t->depth - i].ra)
			return false;
	return true;
}

static void judge(struct target *t)
{
	struct ustack_state frame[MAX_FRAMES];
	struct sums *sums = &t->sums;
	enum ustack_reason why;
	unsigned int nr;

	why = walk(t, frame, &nr);
	sums->walks++;
	if (!is_true(t, frame, nr) || (why == USTACK_COMPLETE && nr <= t->depth)) {
		if (t->mem.guessed) {
			if (getenv("SHADOW_GUESSED") && sums->wrong_guessed < SHOWN)
				show(t, frame, nr, why, "wrong guess");
			sums->wrong_guessed++;
		} else if (sums->wrong++ < SHOWN) {
			show(t, frame, nr, why, "WRONG");
		}
	} else if (why != USTACK_COMPLETE) {
		if (getenv("SHADOW_CUT") && sums->cut < SHOWN)
			show(t, frame, nr, why, "cut");
		sums->cut++;
	} else if (t->mem.guessed) {
		sums->whole_guessed++;
	} else {
		sums->whole++;
	}
}

/* Memory below SP belongs to no frame any more. */
static void drop_returned(struct target *t)
{
	while (t->depth && t->calls[t->depth - 1].at < t->regs.rsp)
		t->depth--;
}

/* The instruction at @pc has run. It was a call if it has pushed the address after it. */
static void see_call(struct target *t, u64 pc, const struct x86_insn *insn, u64 sp)
{
	u64 ra;

	if (insn->kind != X86_CALL || t->regs.rsp != sp - 8 || t->depth == MAX_DEPTH ||
	    !read_bytes(t, t->regs.rsp, &ra, sizeof(ra)) || ra != pc + insn->len)
		return;
	t->calls[t->depth++] = (struct call){ t->regs.rsp, ra };
	t->sums.calls++;
}

static bool learn_maps(struct target *t)
{
	if (space_find(&t->space, t->regs.rip))
		return true;
	space_release(&t->space);
	return space_read(&t->space, t->pid);
}

/* Return: its exit status, -1 if it did not exit, -2 if the limit of steps was reached. */
static int run(struct target *t, u64 every, u64 most)
{
	struct user_regs_struct before;
	u8 code[X86_INSN_MAX];
	struct x86_insn insn;
	int status, sig = 0;
	u64 pc, sp;

	for (; t->sums.steps < most; t->sums.steps++) {
		pc = t->regs.rip;
		sp = t->regs.rsp;
		before = t->regs;
		insn.len = 0;
		if (!read_bytes(t, pc, code, sizeof(code)) ||
		    !x86_insn_read(code, sizeof(code), pc, &insn))
			insn.kind = X86_OTHER;
		if (ptrace(PTRACE_SINGLESTEP, t->pid, 0, (long)sig) ||
		    waitpid(t->pid, &status, 0) != t->pid)
			return -1;
		if (!WIFSTOPPED(status))
			return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		if (ptrace(PTRACE_GETREGS, t->pid, 0, &t->regs) || !learn_maps(t))
			return -1;
		if (insn.len && !sig)
			regs_compare(&t->regs_sums, code, &insn, &before, &t->regs);
		see_call(t, pc, &insn, sp);
		drop_returned(t);
		if (t->sums.steps % every == 0)
			judge(t);
	}
	return -2;
}

/* Return: whether the program has stopped itself. */
static bool run_to_stop(struct target *t)
{
	int status, sig = 0;

	do {
		if (ptrace(PTRACE_CONT, t->pid, 0, (long)sig) ||
		    waitpid(t->pid, &status, 0) != t->pid || !WIFSTOPPED(status))
			return false;
		sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	} while (sig != SIGSTOP);
	space_release(&t->space);
	return !ptrace(PTRACE_GETREGS, t->pid, 0, &t->regs) && space_read(&t->space, t->pid);
}

/* Takes the stack that rows find for the true one. Return: whether it is whole and proven. */
static bool believe_rows(struct target *t)
{
	struct ustack_state frame[MAX_FRAMES];
	unsigned int nr;

	if (walk(t, frame, &nr) != USTACK_COMPLETE || t->mem.guessed)
		return false;
	while (--nr)
		t->calls[t->depth++] = (struct call){ frame[nr].sp - 8, frame[nr].pc };
	return true;
}

/* Steps until rows lead to the end: a stop from outside may be anywhere. */
static bool step_to_rows(struct target *t)
{
	int status, i;

	for (i = 0; i < MAX_WAIT; i++) {
		if (believe_rows(t))
			return true;
		if (ptrace(PTRACE_SINGLESTEP, t->pid, 0, 0) || waitpid(t->pid, &status, 0) != t->pid ||
		    !WIFSTOPPED(status) || ptrace(PTRACE_GETREGS, t->pid, 0, &t->regs))
			break;
	}
	return false;
}

static bool start(struct target *t, char **argv, bool after_stop)
{
	int status;

	t->pid = fork();
	if (!t->pid) {
		/*
		 * the contents of the stack decide what a guess finds, so they are the same in
		 * every run
		 */
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[0], argv);
		_exit(127);
	}
	if (t->pid < 0 || waitpid(t->pid, &status, 0) != t->pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, t->pid, 0, (long)PTRACE_O_EXITKILL) ||
	    ptrace(PTRACE_GETREGS, t->pid, 0, &t->regs) || !space_read(&t->space, t->pid)) {
		fprintf(stderr, "shadow: %s cannot be traced\n", argv[0]);
		return false;
	}
	t->start_sp = t->regs.rsp;
	if (after_stop && (!run_to_stop(t) || !step_to_rows(t))) {
		fprintf(stderr, "shadow: %s has not stopped with a whole stack\n", argv[0]);
		return false;
	}
	return true;
}

static double percent(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0.0;
}

static bool read_option(char ***argv, const char *name, u64 *ret)
{
	char *end;

	if (!**argv || strcmp(**argv, name) || !(*argv)[1])
		return false;
	*ret = strtoull((*argv)[1], &end, 10);
	*argv += 2;
	return !*end && *ret;
}

int main(int argc, char **argv)
{
	static struct target t = {
		.mem = {
			.read_u64 = read_word, .read_reg = read_reg, .is_code = is_code,
			.ra_mask = ~0ull,
			.user_end = 0x7ffffffff000ull, .may_guess = true,
			.may_follow = true,
		},
	};
	u64 every = 7, most = 3000000, after_stop = 0, bad_cfi = 0;
	const struct sums *s = &t.sums;
	int status;

	for (argv += argc > 0; read_option(&argv, "--every", &every) ||
			       read_option(&argv, "--steps", &most) ||
			       read_option(&argv, "--after-stop", &after_stop) ||
			       read_option(&argv, "--bad-cfi", &bad_cfi);)
		;
	if (!*argv) {
		fprintf(stderr, "usage: shadow [--every N] [--steps N] [--after-stop 1] [--bad-cfi 1] PROGRAM "
				"[ARGUMENT...]\n");
		return 2;
	}
	t.bad_cfi = bad_cfi;
	if (!start(&t, argv, after_stop))
		return 2;
	status = run(&t, every, most);
	if (status == -2)
		kill(t.pid, SIGKILL);
	printf("%s: %s %d, %" PRIu64 " steps, %" PRIu64 " calls, %" PRIu64 " walks: %.2f %% "
	       "whole and proven, %.2f %% whole with guesses, %.2f %% cut, %" PRIu64
	       " wrong with guesses; registers: %" PRIu64 " instructions exact, %" PRIu64
	       " by what they write, %" PRIu64 " otherwise\n%" PRIu64 " wrong\n", *argv,
	       status == -2 ? "stopped" : "status", status, (uint64_t)s->steps,
	       (uint64_t)s->calls, (uint64_t)s->walks, percent(s->whole, s->walks),
	       percent(s->whole_guessed, s->walks), percent(s->cut, s->walks),
	       (uint64_t)s->wrong_guessed, (uint64_t)t.regs_sums.exact, (uint64_t)t.regs_sums.writes,
	       (uint64_t)t.regs_sums.wrong, (uint64_t)s->wrong);
	space_release(&t.space);
	return s->wrong || t.regs_sums.wrong || (status && status != -2);
}
