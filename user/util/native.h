/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that this program was built for: the one place of user/ that asks for it. What
 * depends on the machine of a file is asked of its struct ustack_arch (kmod/core/arch.h).
 * Documentation/porting.md lists what another architecture takes.
 *
 *	NATIVE_ARCH		its struct ustack_arch, for who includes core.h
 *	NATIVE_RA_MASK		bits of a return address that are an address
 *	NATIVE_USER_END		where a process's memory ends
 *	NATIVE_PERF_REGS	registers of a sample, of those in NATIVE_PERF_MASK, in the order of
 *				perf's numbers (asm/perf_regs.h)
 *	NATIVE_PERF_SP, _FP, _PC	their places in that order
 *	NATIVE_PERF_LR(regs)	the link register of a sample; 0 where there is none
 *	NATIVE_SYSCALL(name)	the kernel's function of a system call
 *	NATIVE_AUDIT_ARCH	as seccomp has it
 *	NATIVE_LD_CACHE_FLAGS	of a library in ld.so.cache: type 3 is glibc's, the rest the machine
 */
#ifndef USTACK_USER_UTIL_NATIVE_H
#define USTACK_USER_UTIL_NATIVE_H

#if defined(__x86_64__)

#define NATIVE_ARCH (&ustack_arch_x86_64)
#define NATIVE_RA_MASK (~0ull)
#define NATIVE_USER_END ((1ull << 56) - 4096)	/* with five levels of page tables */
/* AX BX CX DX SI DI BP SP IP, R8..R15 */
#define NATIVE_PERF_REGS 17u
#define NATIVE_PERF_MASK 0xff01ffull
#define NATIVE_PERF_FP 6u
#define NATIVE_PERF_SP 7u
#define NATIVE_PERF_PC 8u
#define NATIVE_PERF_LR(regs) 0ull
#define NATIVE_SYSCALL(name) "__x64_sys_" name
#define NATIVE_AUDIT_ARCH AUDIT_ARCH_X86_64
#define NATIVE_X32_BIT 0x40000000u	/* of calls of the x32 ABI, which have other numbers */
#define NATIVE_LD_CACHE_FLAGS 0x0303

/* Between two looks at a word that another CPU is to change. */
static inline void native_pause(void)
{
	__builtin_ia32_pause();
}

/* Return: the place of a register by its DWARF number; NATIVE_PERF_REGS for one that is not there. */
static inline unsigned int native_perf_reg(unsigned int dwarf)
{
	/* System V psABI AMD64, figure 3.36 */
	static const unsigned char at[16] = { 0, 3, 2, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16 };

	return dwarf < sizeof(at) ? at[dwarf] : NATIVE_PERF_REGS;
}

#elif defined(__aarch64__)

#define NATIVE_ARCH (&ustack_arch_aarch64)
/* Above the address are signatures and tags; of 52-bit addresses nothing is taken, as they
 * are given only to who asks for them.
 */
#define NATIVE_RA_MASK ((1ull << 48) - 1)
#define NATIVE_USER_END (1ull << 48)
/* X0..X30 SP PC */
#define NATIVE_PERF_REGS 33u
#define NATIVE_PERF_MASK ((1ull << 33) - 1)
#define NATIVE_PERF_FP 29u
#define NATIVE_PERF_SP 31u
#define NATIVE_PERF_PC 32u
#define NATIVE_PERF_LR(regs) ((regs)[30])
#define NATIVE_SYSCALL(name) "__arm64_sys_" name
#define NATIVE_AUDIT_ARCH AUDIT_ARCH_AARCH64
#define NATIVE_LD_CACHE_FLAGS 0x0a03

static inline void native_pause(void)
{
	__asm__ volatile("yield");
}

static inline unsigned int native_perf_reg(unsigned int dwarf)
{
	return dwarf < 32 ? dwarf : NATIVE_PERF_REGS;
}

#else
#error "ustack knows x86-64 and arm64: Documentation/porting.md"
#endif

#endif /* USTACK_USER_UTIL_NATIVE_H */
