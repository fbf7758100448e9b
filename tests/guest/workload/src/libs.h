/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that the two libraries and the program call in one another. */
#ifndef WORKLOAD_LIBS_H
#define WORKLOAD_LIBS_H

#include "workload.h"

long deep_even(long depth);	/* in libone */
long deep_leaf(long x);		/* in libone */
long trivial_add(long a, long b); /* in libone */
long deep_odd(long depth);	/* in libtwo */
long tail_far(long x);		/* in libtwo */

#endif
