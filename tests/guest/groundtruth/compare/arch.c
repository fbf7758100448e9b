// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two architectures: which of perf's registers has which DWARF number, and how a signal
 * frame is read (arch.h).
 */
#include <elf.h>
#include <stddef.h>

#include "arch.h"

static const char *const x86_names[] = {
	"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "rip", "flags",
	"cs", "ss", "ds", "es", "fs", "gs", "r8", "r9", "r10", "r11", "r12",
	"r13", "r14", "r15",
};

static void x86_load(struct regs *ret, const uint64_t *regs, uint64_t mask)
{
	/* rax rdx rcx rbx rsi rdi rbp rsp r8..r15 rip */
	static const uint8_t perf[] = {
		0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8,
	};
	unsigned int i;

	for (i = 0; i < sizeof(perf); i++)
		ret->dwarf[i] = perf_reg(regs, mask, perf[i]);
	ret->pc = perf_reg(regs, mask, 8);
	ret->sp = perf_reg(regs, mask, 7);
}

static const char *const arm64_names[] = {
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20",
	"x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",
	"sp", "pc",
};

static void arm64_load(struct regs *ret, const uint64_t *regs, uint64_t mask)
{
	unsigned int i;

	for (i = 0; i < 32; i++)
		ret->dwarf[i] = perf_reg(regs, mask, i);
	ret->pc = perf_reg(regs, mask, 32);
	ret->sp = ret->dwarf[31];
}

/* struct rt_sigframe: siginfo, then ucontext with the sigcontext at 176 */
#define ARM64_SIGCONTEXT (128 + 176)
#define ARM64_SIGCONTEXT_REGS (ARM64_SIGCONTEXT + 8)	/* after the fault address */

static bool arm64_sigreturn(struct regs *ret, uint64_t sp,
			    bool (*read)(void *arg, uint64_t addr, uint64_t *ret),
			    void *arg)
{
	unsigned int i;

	for (i = 0; i < 32; i++)
		if (!read(arg, sp + ARM64_SIGCONTEXT_REGS + 8 * i, &ret->dwarf[i]))
			return false;
	ret->sp = ret->dwarf[31];
	return read(arg, sp + ARM64_SIGCONTEXT_REGS + 8 * 32, &ret->pc);
}

/* mov x8, #139; svc #0: the kernel's vDSO has no CFI for it on purpose */
static const uint32_t arm64_trampoline[] = { 0xd2801168, 0xd4000001 };

static const struct arch archs[] = {
	{
		.machine = EM_X86_64,
		.dwarf_regs = 17,
		.sp = 7,
		.fp = 6,
		.names = x86_names,
		.perf_regs = 24,
		.load = x86_load,
		.pc_mask = UINT64_MAX,
		.user_end = (1ull << 47) - 4096,
	}, {
		.machine = EM_AARCH64,
		.dwarf_regs = 32,
		.sp = 31,
		.fp = 29,
		.names = arm64_names,
		.perf_regs = 33,
		.load = arm64_load,
		.pc_mask = (1ull << 48) - 1,
		.user_end = 1ull << 48,
		.trampoline = arm64_trampoline,
		.sigreturn = arm64_sigreturn,
	},
};

const struct arch *arch_find(uint32_t machine)
{
	unsigned int i;

	for (i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (archs[i].machine == machine)
			return &archs[i];
	return NULL;
}
