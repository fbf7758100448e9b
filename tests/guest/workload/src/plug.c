// SPDX-License-Identifier: GPL-2.0-only
/*
 * libplugN.so, N = 1 to 4: one source, four libraries of the same size whose functions differ
 * in name, order, length and frame, so that the table of one is wrong for another at the same
 * address. The text needs no relocation, so it runs wherever it is mapped, without the loader.
 */
#include "workload.h"

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define NAME(what) PASTE(plug, PLUG, what)

/* keeps the order below, because gcc places functions in source order */
#pragma GCC optimize("no-reorder-functions", "no-toplevel-reorder")

#if PLUG & 1
#define BULK (40 + 56 * PLUG)
#else
#define BULK (400 - 56 * PLUG)
#endif

static FRAME void NAME(_leaf)(void);
static FRAME long NAME(_mid)(long x);
long NAME(_entry)(long x);

#define LEAF							\
static FRAME void NAME(_leaf)(void)				\
{								\
	spin(2 * SPIN);						\
}

#define MID							\
static FRAME long NAME(_mid)(long x)				\
{								\
	volatile char bulk[BULK];				\
								\
	bulk[x % BULK] = x;					\
	NAME(_leaf)();						\
	STAY();							\
	return bulk[x % BULK];					\
}

#define ENTRY							\
FRAME long NAME(_entry)(long x)					\
{								\
	volatile char bulk[2 * BULK];				\
								\
	bulk[x % BULK] = x;					\
	x = NAME(_mid)(x);					\
	STAY();							\
	return x + bulk[x % BULK];				\
}

#if PLUG == 1
LEAF MID ENTRY
#elif PLUG == 2
ENTRY LEAF MID
#elif PLUG == 3
MID ENTRY LEAF
#else
ENTRY MID LEAF
#endif
