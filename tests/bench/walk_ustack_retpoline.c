// SPDX-License-Identifier: GPL-2.0-only
/* The same as walk_ustack_pointer.c, built with -mindirect-branch=thunk-inline. */
#define BENCH_WALK walk_ustack_retpoline
#define BENCH_STEP ustack_step
#include "walk_ustack.h"
