// SPDX-License-Identifier: GPL-2.0-only
/*
 * The innermost function of every stack: it takes the registers, runs the method and measures
 * its time.
 */
#include "graph.h"

noinline u64 DRESS(bench_probe)(struct probe *p)
{
	struct bench_regs regs;
	u64 start;

	__asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
			 : "=&r"(regs.pc), "=&r"(regs.sp), "=&r"(regs.fp));
	start = bench_ticks();
	p->n = p->walk(&regs, p->pcs, p->max);
	p->ticks = bench_ticks() - start;
	return p->n;
}
