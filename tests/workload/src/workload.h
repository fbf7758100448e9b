/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every scenario of the known-answer workload is made of.
 *
 * A scenario's stack must be exactly what tests/workload/chains declares, so
 * the compiler may not inline, clone or turn a call into a jump unless the
 * scenario is about that, and hot loops call nothing: time is read by a system
 * call made on the spot.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "raw.h"

/* a function that is one frame, always, under its own name */
#define FRAME __attribute__((noipa))

/* stands after a call whose frame must stay: the call cannot become a jump */
#define STAY() asm volatile("" ::: "memory")

/* iterations of about 30 us on a machine, 1 ms under emulation */
#define SPIN 50000

static inline __attribute__((always_inline)) void spin(unsigned long n)
{
	while (n--)
		asm volatile("");
}

/* monotonic nanoseconds, without libc or vDSO frames */
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
