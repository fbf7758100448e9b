// SPDX-License-Identifier: GPL-2.0-only
/* Strides, with a reader that is known at compile time. */
#define BENCH_WALK walk_ustack
#define BENCH_STEP(arch, rule, s, mem) \
	ustack_step_with(arch, rule, s, mem, read_stack)
#define BENCH_STRIDE
#include "walk_ustack.h"
