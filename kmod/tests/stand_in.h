/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before everything else that the suites build. It replaces headers of
 * the module that compile only on its own two architectures.
 */
#ifndef USTACK_TESTS_STAND_IN_H
#define USTACK_TESTS_STAND_IN_H

#include <linux/types.h>

#include "step.h"

/* ---- regs.h: every register set is ours, and files are x86-64 ones -------- */

#define USTACK_REGS_H

struct pt_regs;

/* Passed by tests as pt_regs: registers, and the memory they point into. */
struct test_regs {
	u64 pc;
	u64 sp;
	u64 fp;
	bool absent;		/* all user memory is absent */
	u32 swapped_bytes;	/* of @stack, after @stack_bytes: readable after a fault */
	u32 faults;		/* number of such faults */
	u64 stack_at;		/* address of @stack */
	u32 stack_bytes;
	const u8 *stack;
	u64 text_at;		/* address of @text, if code is read */
	u32 text_bytes;
	const u8 *text;
};

struct ustack_user {
	struct ustack_mem mem;
	struct pt_regs *regs;
};

#define ustack_arch_native (&ustack_arch_x86_64)

static inline bool ustack_regs_native(struct pt_regs *regs)
{
	return regs;
}

static __always_inline bool ustack_user_read_u64(struct ustack_mem *mem,
						 u64 addr, u64 *ret)
{
	const struct ustack_user *user = (void *)mem;
	const struct test_regs *r = (void *)user->regs;

	/* a range has at least 8 bytes, or none */
	if (likely(addr - r->stack_at + 8 <= r->stack_bytes &&
		   addr >= r->stack_at)) {
		*ret = ustack_le64(r->stack + (addr - r->stack_at));
		return true;
	}
	if (addr - r->text_at + 8 <= r->text_bytes && addr >= r->text_at) {
		*ret = ustack_le64(r->text + (addr - r->text_at));
		return true;
	}
	return false;
}

/* The number of open sections of reads; it shows if one is not closed. */
extern int test_open_regions;

static inline bool ustack_user_begin(void)
{
	test_open_regions++;
	return true;
}

static inline void ustack_user_end(void)
{
	test_open_regions--;
}

#define ustack_user_read_within ustack_user_read_u64

/* In callchain_kunit.c. */
bool ustack_user_init(struct ustack_user *user, struct pt_regs *regs,
		      struct ustack_state *state);

static inline void ustack_user_enter(struct ustack_user *user)
{
}

static inline void ustack_user_exit(struct ustack_user *user)
{
}

/* Here a page is a line of 64 bytes. */
static inline bool ustack_user_fault_in(struct ustack_user *user, u64 addr)
{
	struct test_regs *r = (void *)user->regs;
	u32 end = (u32)(addr - r->stack_at) / 64 * 64 + 64;

	if (!r->swapped_bytes || addr < r->stack_at ||
	    addr - r->stack_at >= r->stack_bytes + r->swapped_bytes)
		return false;
	r->faults++;
	r->absent = false;
	if (end > r->stack_bytes) {
		r->swapped_bytes -= end - r->stack_bytes;
		r->stack_bytes = end;
	}
	return true;
}

/* ---- trace.h: a tracepoint needs a module of its own ---------------------- */

#define USTACK_TRACE_H

static inline void trace_ustack_image(const char *path, u64 dev, u64 ino,
				      u32 reason, u32 bad_off, u32 rows,
				      u32 bytes)
{
}

/* In callchain_kunit.c: the number that the last walk traced. */
extern u32 test_traced_guesses;

static inline void trace_ustack_stop(u32 reason, u32 frames, u64 pc, u64 sp,
				     u32 guessed)
{
	test_traced_guesses = guessed;
}

struct ftrace_regs;

#ifdef CONFIG_UML
/* compat.h takes a UML kernel for an old x86-64 one */
struct ftrace_regs {
	struct {
		unsigned long di, si, dx, cx;
	} regs;
};
#endif

/* ---- utask.h: the task's uretprobes are the test's -------------------------- */

#define USTACK_UTASK_H

#include <linux/uaccess.h>
#include <linux/uprobes.h>

#ifndef CONFIG_UPROBES
#define USTACK_TRAMPOLINE_BYTES 128

struct return_instance {
	unsigned long stack;
	unsigned long orig_ret_vaddr;
	struct return_instance *next;
};
#endif

/* In uretprobe_kunit.c. */
extern const struct return_instance *test_return_instances;
extern const unsigned long *test_xol_area;

static inline const struct return_instance *ustack_return_instances(void)
{
	return test_return_instances;
}

static inline const unsigned long *ustack_xol_area(void)
{
	return test_xol_area;
}

/* ---- ftrace: hook_kunit.c has one that does as it is told ------------------ */

#ifndef CONFIG_FUNCTION_TRACER
struct ftrace_ops {
	void (*func)(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *ops, struct ftrace_regs *fregs);
	unsigned long flags;
};

#define FTRACE_OPS_FL_PERMANENT 1
#define FTRACE_OPS_FL_IPMODIFY 2
#endif

#endif /* USTACK_TESTS_STAND_IN_H */
