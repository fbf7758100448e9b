/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface between the generated call graphs, which make stacks, and the benchmark, which
 * walks them. Graph and probe are built twice: DRESS(x) is x_fp with frame pointers and x_nofp
 * without.
 */
#ifndef BENCH_GRAPH_H
#define BENCH_GRAPH_H

#include "core_env.h"

#define BENCH_JOIN2(a, b) a##_##b
#define BENCH_JOIN(a, b) BENCH_JOIN2(a, b)
#ifdef BENCH_DRESS
#define DRESS(name) BENCH_JOIN(name, BENCH_DRESS)
#endif

/* The registers that an interrupt would have saved. */
struct bench_regs {
	u64 pc;
	u64 sp;
	u64 fp;
};

#define BENCH_MAX_FRAMES 64

/* Writes at most @max pcs, innermost first, and returns their number. */
typedef unsigned int bench_walk(const struct bench_regs *regs, u64 *pcs,
				unsigned int max);

/**
 * struct probe - what the innermost function of a stack does
 * @walk: the method under test
 * @max: maximum number of frames
 * @n: number of frames delivered
 * @ticks: time of the walk
 * @pcs: the stack
 */
struct probe {
	bench_walk *walk;
	unsigned int max;
	unsigned int n;
	u64 ticks;
	u64 pcs[BENCH_MAX_FRAMES];
};

/* Reads the time stamp so that no instruction before or after is counted. */
static inline u64 bench_ticks(void)
{
	u32 lo, hi;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(lo), "=d"(hi)
			 : : "memory");
	return (u64)hi << 32 | lo;
}

u64 bench_probe_fp(struct probe *p);
u64 bench_probe_nofp(struct probe *p);
u64 bench_graph_fp(struct probe *p, u64 route, unsigned int depth);
u64 bench_graph_nofp(struct probe *p, u64 route, unsigned int depth);

#endif /* BENCH_GRAPH_H */
