// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program instruction by instruction, and at each instruction walks its stack twice: by
 * the tables that the module would have, and by libdw. The chains must be the same. The core
 * may end first only if the synthesizer has given the cause. The core reads nothing below SP,
 * because it would not be in a copied stack; libdw reads memory. Sometimes the program gets a
 * SIGALRM, which it handles, also where an epilogue has popped the frame pointer and the return
 * is next.
 *
 * usage: stepped PROGRAM [ARGUMENT...]
 * \tthe program raises SIGTRAP where the walks begin
 */
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "space.h"
#include "step.h"
#include "user_regs.h"

#define MAX_FRAMES 128u
#define SHOWN 5u
/* Number of instructions between signals, chosen to divide nothing; a handler has a hundred. */
#define SIGNAL_EVERY 197u
/* Number of signals at returns after pop %rbp */
#define RETURN_SIGNALS 20u
/* Memory below SP, which a copied stack does not have */
#define BELOW (1u << 20)

struct chain {
	u64 pc[MAX_FRAMES];
	unsigned int nr;
	enum ustack_reason reason;	/* why the core's walk ended */
	/* the synthesizer's cause why it ends there, if there is one */
	enum synth_cause cause;
	/* a CFA was at a place where a callee had saved a register */
	bool by_callee;
};

/* The stopped process, as the core reads it. */
struct target {
	struct ustack_mem mem;
	pid_t pid;
	struct user_regs_struct regs;
	struct space space;
	Dwfl *dwfl;
};

struct sums {
	u64 steps;
	u64 same;
	u64 by_callee;
	u64 short_by[SYNTH_NR_CAUSES];
	/* a CFA is where a callee had saved a register, which it has already popped */
	u64 below;
	u64 no_cfi;	/* at that frame, or where the chains differ */
	u64 signals;
	u64 at_returns;
	u64 differ;
};

static bool read_word(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct iovec to = { ret, sizeof(*ret) };
	struct iovec from = { (void *)(uintptr_t)addr, sizeof(*ret) };
	const struct target *t = (struct target *)mem;

	if (addr < t->regs.rsp && t->regs.rsp - addr <= BELOW)
		return false;
	return process_vm_readv(t->pid, &to, 1, &from, 1, 0) == sizeof(*ret);
}

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	return user_regs_read(&((const struct target *)mem)->regs, reg, ret);
}

/* As the module walks, without strides. */
static void walk(struct target *t, struct chain *ret)
{
	struct ustack_state s = {
		.pc = t->regs.rip,
		.sp = t->regs.rsp,
		.fp = t->regs.rbp,
		.regs_in = USTACK_REGS_SAMPLE,
		.scratch_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
	const struct ustack_arch *arch = &ustack_arch_x86_64;
	const struct ustack_rule *rule;
	u64 key = s.pc;

	*ret = (struct chain){ .reason = USTACK_OK };
	t->mem.scanned = 0;
	t->mem.may_guess = true;
	while (!ret->reason && ret->nr < MAX_FRAMES) {
		ret->pc[ret->nr++] = s.pc;
		key = ustack_state_key(&s);
		rule = space_rule(&t->space, key);
		ret->by_callee |= rule && rule->cfa_off < 0 &&
				  rule->cfa == (USTACK_OP_SP | USTACK_OP_DEREF);
		ret->reason = rule ? ustack_step(arch, rule, &s, &t->mem) :
				     ustack_step_blind(arch, &s, &t->mem);
	}
	ret->cause = space_cause(&t->space, key);
}

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	struct chain *c = arg;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, NULL) || c->nr == MAX_FRAMES)
		return DWARF_CB_ABORT;
	c->pc[c->nr++] = pc;
	return DWARF_CB_OK;
}

static void print_chain(const char *who, const struct chain *c)
{
	unsigned int i;

	printf("  %s:", who);
	for (i = 0; i < c->nr; i++)
		printf(" %" PRIx64, c->pc[i]);
	puts("");
}

static bool has_cfi(struct target *t, u64 pc)
{
	Dwfl_Module *module = dwfl_addrmodule(t->dwfl, pc);
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = module ? dwfl_module_eh_cfi(module, &bias) : NULL;

	if (!cfi || dwarf_cfi_addrframe(cfi, pc - bias, &frame))
		return false;
	free(frame);
	return true;
}

/*
 * The step that differs, if one does, starts from code without CFI, where both sides guess. A
 * signal may have come to such code, for example a library's .fini_array: libdw ends there, or
 * leaves frames out.
 */
static bool both_guess(struct target *t, const struct chain *a, const struct chain *b)
{
	unsigned int n = 0;

	while (n < a->nr && n < b->nr && a->pc[n] == b->pc[n])
		n++;
	/* after a call the address may belong to the next function */
	return n && !has_cfi(t, a->pc[n - 1]) && (n == 1 || !has_cfi(t, a->pc[n - 1] - 1));
}

static void judge(struct target *t, struct sums *sums)
{
	struct chain got, want = { .nr = 0 };
	bool begins;

	walk(t, &got);
	dwfl_getthread_frames(t->dwfl, t->pid, add_frame, &want);
	begins = got.nr <= want.nr && !memcmp(got.pc, want.pc, got.nr * sizeof(got.pc[0]));
	sums->steps++;
	if (!has_cfi(t, t->regs.rip)) {
		sums->no_cfi++;
	} else if (begins && got.nr == want.nr) {
		sums->same++;
		sums->by_callee += got.by_callee;
	} else if (begins && got.reason == USTACK_BAD_CFA && got.cause) {
		sums->short_by[got.cause]++;
	} else if (begins && got.reason == USTACK_STACK_FAULT && got.by_callee) {
		sums->below++;
	} else if (both_guess(t, &got, &want)) {
		sums->no_cfi++;
	} else if (sums->differ++ < SHOWN) {
		printf("rip %llx rsp %llx, %s:\n", t->regs.rip, t->regs.rsp,
		       ustack_reason_name(got.reason));
		print_chain("core ", &got);
		print_chain("libdw", &want);
	}
}

static Dwfl *attach(pid_t pid)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl || dwfl_linux_proc_report(dwfl, pid) ||
	    dwfl_report_end(dwfl, NULL, NULL) ||
	    dwfl_linux_proc_attach(dwfl, pid, true)) {
		fprintf(stderr, "stepped: libdwfl: %s\n", dwfl_errmsg(-1));
		exit(2);
	}
	return dwfl;
}

/* Runs the program up to its SIGTRAP. */
static pid_t start(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_CONT, pid, 0, 0) || waitpid(pid, &status, 0) != pid ||
	    !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) {
		fprintf(stderr, "stepped: %s cannot be traced\n", argv[0]);
		exit(2);
	}
	return pid;
}

/* Whether a ret after pop %rbp is next, and no handler has just returned to it. */
static bool is_return(const struct target *t, u64 *last_sp)
{
	u64 rip = t->regs.rip;
	u8 code[2] = { 0 };
	struct iovec to = { code, sizeof(code) };
	struct iovec from = { (void *)(uintptr_t)(rip - 1), sizeof(code) };

	if (process_vm_readv(t->pid, &to, 1, &from, 1, 0) != sizeof(code) ||
	    code[0] != 0x5d || code[1] != 0xc3 || *last_sp == t->regs.rsp)
		return false;
	*last_sp = t->regs.rsp;
	return true;
}

/* Return: the program's exit status. */
static int run(struct target *t, struct sums *sums)
{
	int status, sig = 0;
	u64 last_sp = 0;

	for (;;) {
		if (sums->steps % SIGNAL_EVERY == SIGNAL_EVERY - 1)
			sig = SIGALRM;
		if (!sig && sums->at_returns < RETURN_SIGNALS && is_return(t, &last_sp)) {
			sig = SIGALRM;
			sums->at_returns++;
		}
		sums->signals += sig != 0;
		if (ptrace(PTRACE_SINGLESTEP, t->pid, 0, (long)sig) ||
		    waitpid(t->pid, &status, 0) != t->pid)
			return -1;
		if (!WIFSTOPPED(status))
			return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		if (!sig && !ptrace(PTRACE_GETREGS, t->pid, 0, &t->regs))
			judge(t, sums);
	}
}

int main(int argc, char **argv)
{
	static struct target t = {
		.mem = {
			.read_u64 = read_word, .read_reg = read_reg, .ra_mask = ~0ull,
			.user_end = 0x7ffffffff000ull,
		},
	};
	struct sums sums = { 0 };
	unsigned int i;
	int status;

	if (argc < 2) {
		fprintf(stderr, "usage: stepped PROGRAM [ARGUMENT...]\n");
		return 2;
	}
	t.pid = start(argv + 1);
	t.dwfl = attach(t.pid);
	if (!space_read(&t.space, t.pid))
		return 2;
	status = run(&t, &sums);
	printf("%s: status %d, %" PRIu64 " signals, %" PRIu64 " at returns, %" PRIu64
	       " steps: %" PRIu64 " chains as libdw's, %" PRIu64
	       " of them by a register that a callee has saved\n", argv[1], status, sums.signals,
	       sums.at_returns, sums.steps, sums.same, sums.by_callee);
	for (i = 0; i < SYNTH_NR_CAUSES; i++)
		if (sums.short_by[i])
			printf("  %" PRIu64 " end early: %s: %s\n", sums.short_by[i],
			       synth_cause_name(i), synth_cause_text(i));
	if (sums.below)
		printf("  %" PRIu64 " end early: what the CFA counts from is below SP\n", sums.below);
	if (sums.no_cfi)
		printf("  %" PRIu64 " not judged: no CFI\n", sums.no_cfi);
	printf("%" PRIu64 " differ\n", sums.differ);
	dwfl_end(t.dwfl);
	space_release(&t.space);
	return status || sums.differ || !sums.by_callee;
}
