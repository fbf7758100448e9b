/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that this program was built for. This is the only place of user/
 * that asks for it. Facts about the machine of a file are in its struct
 * ustack_arch (kmod/core/arch.h). Documentation/porting.md lists what a new
 * architecture needs.
 *
 *	NATIVE_ARCH		its struct ustack_arch, for files that include core.h
 *	NATIVE_RA_MASK		the bits of a return address that are an address
 *	NATIVE_USER_END		the end of a process's address space
 *	NATIVE_PERF_REGS	number of registers in a sample, those of NATIVE_PERF_MASK,
 *				in the order of perf's numbers (asm/perf_regs.h)
 *	NATIVE_PERF_SP, _FP, _PC	their places in that order
 *	NATIVE_PERF_LR(regs)	the link register of a sample; 0 if the machine has none
 *	NATIVE_SYSCALL(name)	name of the kernel's function for a system call
 *	NATIVE_AUDIT_ARCH	number of the architecture for seccomp
 *	NATIVE_LD_CACHE_FLAGS	flags of a library in ld.so.cache: 3 is the type for glibc,
 *				the other bits are the machine
 */
#ifndef USTACK_USER_UTIL_NATIVE_H
#define USTACK_USER_UTIL_NATIVE_H

#if defined(__x86_64__)

#define NATIVE_ARCH (&ustack_arch_x86_64)
#define NATIVE_RA_MASK (~0ull)
#define NATIVE_USER_END ((1ull << 56) - 4096)	/* with five levels of page tables */
/* registers AX BX CX DX SI DI BP SP IP, R8..R15 */
#define NATIVE_PERF_REGS 17u
#define NATIVE_PERF_MASK 0xff01ffull
#define NATIVE_PERF_FP 6u
#define NATIVE_PERF_SP 7u
#define NATIVE_PERF_PC 8u
#define NATIVE_PERF_LR(regs) 0ull
#define NATIVE_SYSCALL(name) "__x64_sys_" name
#define NATIVE_AUDIT_ARCH AUDIT_ARCH_X86_64
#define NATIVE_X32_BIT 0x40000000u	/* in the numbers of system calls of the x32 ABI */
#define NATIVE_LD_CACHE_FLAGS 0x0303

/* Tells the CPU that the caller waits in a loop for another CPU to change a word. */
static inline void native_pause(void)
{
	__builtin_ia32_pause();
}

/*
 * Return: the place of a register, by its DWARF number, in a sample;
 * NATIVE_PERF_REGS if it is not there.
 */
static inline unsigned int native_perf_reg(unsigned int dwarf)
{
	/* System V psABI AMD64, figure 3.36 */
	static const unsigned char at[16] = { 0, 3, 2, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16 };

	return dwarf < sizeof(at) ? at[dwarf] : NATIVE_PERF_REGS;
}

#elif defined(__aarch64__)

#define NATIVE_ARCH (&ustack_arch_aarch64)
/*
 * The bits above an address hold signatures and tags. 52-bit addresses do not
 * occur: the kernel gives them only to programs that ask for them.
 */
#define NATIVE_RA_MASK ((1ull << 48) - 1)
#define NATIVE_USER_END (1ull << 48)
/* registers X0..X30 SP PC */
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
