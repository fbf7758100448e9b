// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strides as the module makes them on x86: addresses and pcs are clamped against speculation,
 * as by array_index_nospec(). The STAC and CLAC around a stride are missing, because they fault
 * in user mode.
 */
#define BENCH_WALK walk_ustack_kernel
#define BENCH_STEP(arch, rule, s, mem) \
	ustack_step_with(arch, rule, s, mem, read_stack)
#define BENCH_STRIDE

/* @index if it is below @size, else 0 */
static inline unsigned long bench_clamp(unsigned long index, unsigned long size)
{
	unsigned long mask;

	__asm__ volatile("cmp %1, %2\n\tsbb %0, %0"
			 : "=r" (mask) : "g" (size), "r" (index) : "cc");
	return index & mask;
}

#define ustack_nospec(index, size) bench_clamp(index, size)
#define BENCH_READ_CLAMP(addr, end) bench_clamp(addr, end)
#include "walk_ustack.h"
