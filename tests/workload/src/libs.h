/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two libraries and the program call in one another. */
#ifndef WORKLOAD_LIBS_H
#define WORKLOAD_LIBS_H

#include "workload.h"

long deep_even(long depth);	/* libone */
long deep_leaf(long x);		/* libone */
long trivial_add(long a, long b); /* libone */
long deep_odd(long depth);	/* libtwo */
long tail_far(long x);		/* libtwo */

#endif
