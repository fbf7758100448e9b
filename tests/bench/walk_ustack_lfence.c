// SPDX-License-Identifier: GPL-2.0
/*
 * Strides with the barrier in front of each word that the kernel's __get_user()
 * has on x86, which keeps frames from overlapping. STAC and CLAC are not there:
 * they fault in user mode.
 */
#define BENCH_WALK walk_ustack_lfence
#define BENCH_STEP(arch, rule, s, mem) \
	ustack_step_with(arch, rule, s, mem, read_stack)
#define BENCH_STRIDE
#define BENCH_READ_BARRIER() __asm__ volatile("lfence" : : : "memory")
#include "walk_ustack.h"
