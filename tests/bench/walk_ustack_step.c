// SPDX-License-Identifier: GPL-2.0-only
/* Step by step, with the reader known when it is compiled. */
#define BENCH_WALK walk_ustack_step
#define BENCH_STEP(arch, rule, s, mem) \
	ustack_step_with(arch, rule, s, mem, read_stack)
#include "walk_ustack.h"
