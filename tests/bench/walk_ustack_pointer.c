// SPDX-License-Identifier: GPL-2.0-only
/* Strides that call the reader through the pointer in ustack_mem. */
#define BENCH_WALK walk_ustack_pointer
#define BENCH_STEP ustack_step
#include "walk_ustack.h"
