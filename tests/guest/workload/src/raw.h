/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls made inline, so that no frame of libc is ever innermost in a hot loop, and so
 * that the freestanding program needs no library.
 */
#ifndef WORKLOAD_RAW_H
#define WORKLOAD_RAW_H

#if defined(__x86_64__)

#define RAW_write 1
#define RAW_getpid 39
#define RAW_exit 60
#define RAW_setitimer 38
#define RAW_gettid 186
#define RAW_clock_gettime 228
#define RAW_tgkill 234

#define RAW_ASM(result, nr, ...) \
	asm volatile("syscall" : "=a"(result) : "0"(nr), __VA_ARGS__ \
		     : "rcx", "r11", "memory")

static inline __attribute__((always_inline)) long
raw_syscall3(long nr, long a, long b, long c)
{
	long result;

	RAW_ASM(result, nr, "D"(a), "S"(b), "d"(c));
	return result;
}

#elif defined(__aarch64__)

#define RAW_write 64
#define RAW_exit 93
#define RAW_setitimer 103
#define RAW_clock_gettime 113
#define RAW_tgkill 131
#define RAW_getpid 172
#define RAW_gettid 178

static inline __attribute__((always_inline)) long
raw_syscall3(long nr, long a, long b, long c)
{
	register long x8 asm("x8") = nr;
	register long x0 asm("x0") = a;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;

	asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2)
		     : "memory");
	return x0;
}

#else
#error "no system calls for this architecture"
#endif

static inline __attribute__((always_inline)) long
raw_syscall2(long nr, long a, long b)
{
	return raw_syscall3(nr, a, b, 0);
}

#endif
