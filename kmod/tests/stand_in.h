/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included in front of everything that the suites build: stands in for headers
 * of the module that only its own two architectures can compile.
 */
#ifndef USTACK_TESTS_STAND_IN_H
#define USTACK_TESTS_STAND_IN_H

#include <linux/types.h>

#include "step.h"

/* regs.h: every register set is ours, and files are x86-64 ones */
#define USTACK_REGS_H

struct pt_regs;

#define ustack_arch_native (&ustack_arch_x86_64)

static inline bool ustack_regs_native(struct pt_regs *regs)
{
	return regs;
}

/* trace.h: a tracepoint needs a module of its own */
#define USTACK_TRACE_H

static inline void trace_ustack_image(const char *path, u64 dev, u64 ino,
				      u32 reason, u32 bad_off, u32 rows,
				      u32 bytes)
{
}

#ifdef CONFIG_UML
/* compat.h takes a user-mode kernel for an old x86-64 one */
struct ftrace_regs {
	struct {
		unsigned long di, si, dx, cx;
	} regs;
};
#endif

#endif /* USTACK_TESTS_STAND_IN_H */
