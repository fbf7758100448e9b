/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Macros and helpers of every scenario of the workload with known stacks.
 *
 * A scenario's stack must be exactly what tests/guest/workload/chains declares. So the compiler must
 * not inline or clone a function, or turn a call into a jump, unless the scenario tests this.
 * Hot loops call nothing: they read the time by an inline system call.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "raw.h"

/* a function that is always one frame, under its own name */
#define FRAME __attribute__((noipa))

/* placed after a call whose frame must stay, so that the call cannot become a jump */
#define STAY() asm volatile("" ::: "memory")

/* iterations of about 30 us on a real machine, 1 ms under emulation */
#define SPIN 50000

static inline __attribute__((always_inline)) void spin(unsigned long n)
{
	while (n--)
		asm volatile("");
}

/* monotonic nanoseconds, without frames of libc or the vDSO */
static inline __attribute__((always_inline)) unsigned long long now_ns(void)
{
	struct { long sec, nsec; } t;

	raw_syscall2(RAW_clock_gettime, 1 /* CLOCK_MONOTONIC */, (long)&t);
	return t.sec * 1000000000ULL + t.nsec;
}

static inline __attribute__((always_inline)) unsigned long long
after(double seconds)
{
	return now_ns() + (unsigned long long)(seconds * 1e9);
}

#endif
