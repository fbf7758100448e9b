// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prologues and epilogues: the hot function saves every callee-saved register
 * and does nothing else, so most samples fall between two rows of a table.
 */
#include "run.h"

#ifdef __x86_64__
#define SAVED "rbx", "r12", "r13", "r14", "r15"
#else
#define SAVED "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28"
#endif

FRAME void prologue_inner(void)
{
	asm volatile("" ::: SAVED);
}

FRAME void prologue_outer(void)
{
	asm volatile("" ::: SAVED);
	prologue_inner();
	STAY();
}

FRAME void prologue_loop(void)
{
	int i;

	for (i = 0; i < 2000; i++) {
		prologue_outer();
		STAY();
	}
}

FRAME int run_prologue(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		prologue_loop();
		STAY();
	}
	return 0;
}
