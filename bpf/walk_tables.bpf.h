/* SPDX-License-Identifier: GPL-2.0-only */
/* Walks the user stack of the current thread by tables, beginning with its registers. */
#ifndef USTACK_BPF_WALK_TABLES_H
#define USTACK_BPF_WALK_TABLES_H

#include "kernel.bpf.h"
#include "unwind.bpf.h"

/* Sets the registers by DWARF number, and the sampled frame, like kmod/regs.c. */
#if defined(__TARGET_ARCH_x86)
static __always_inline void walk_regs(struct unwind *u, const struct user_regs *r)
{
	u->regs[0] = r->ax;
	u->regs[1] = r->dx;
	u->regs[2] = r->cx;
	u->regs[3] = r->bx;
	u->regs[4] = r->si;
	u->regs[5] = r->di;
	u->regs[6] = r->bp;
	u->regs[7] = r->sp;
	u->regs[8] = r->r8;
	u->regs[9] = r->r9;
	u->regs[10] = r->r10;
	u->regs[11] = r->r11;
	u->regs[12] = r->r12;
	u->regs[13] = r->r13;
	u->regs[14] = r->r14;
	u->regs[15] = r->r15;
	u->state.pc = r->ip;
	u->state.sp = r->sp;
	u->state.fp = r->bp;
	u->state.lr = 0;
}

#define WALK_COPY_CONTEXT(to, ctx)                                                              \
	do {                                                                                    \
		(to)->r15 = (ctx)->r15, (to)->r14 = (ctx)->r14, (to)->r13 = (ctx)->r13;         \
		(to)->r12 = (ctx)->r12, (to)->bp = (ctx)->bp, (to)->bx = (ctx)->bx;             \
		(to)->r11 = (ctx)->r11, (to)->r10 = (ctx)->r10, (to)->r9 = (ctx)->r9;           \
		(to)->r8 = (ctx)->r8, (to)->ax = (ctx)->ax, (to)->cx = (ctx)->cx;               \
		(to)->dx = (ctx)->dx, (to)->si = (ctx)->si, (to)->di = (ctx)->di;               \
		(to)->ip = (ctx)->ip, (to)->cs = (ctx)->cs, (to)->sp = (ctx)->sp;               \
	} while (0)
#elif defined(__TARGET_ARCH_arm64)
static __always_inline void walk_regs(struct unwind *u, const struct user_regs *r)
{
	u32 i;

#pragma unroll
	for (i = 0; i < 31; i++)
		u->regs[i] = r->regs[i];
	u->regs[31] = r->sp;
	u->state.pc = r->pc;
	u->state.sp = r->sp;
	u->state.fp = r->regs[29];
	u->state.lr = r->regs[30];
}

#define WALK_COPY_CONTEXT(to, ctx)                                                              \
	do {                                                                                    \
		u32 copy_at;                                                                    \
		_Pragma("unroll") for (copy_at = 0; copy_at < 31; copy_at++)                    \
			(to)->regs[copy_at] = (ctx)->regs[copy_at];                             \
		(to)->sp = (ctx)->sp, (to)->pc = (ctx)->pc, (to)->pstate = (ctx)->pstate;       \
	} while (0)
#endif

/* Reads the registers with which the current thread entered the kernel. */
static __always_inline void walk_task_regs(struct user_regs *to, struct task_struct *task)
{
	bpf_probe_read_kernel(to, sizeof(*to), (void *)bpf_task_pt_regs(task));
}

/*
 * @regs: the registers of the user
 * @max: largest number of frames, at most WIRE_FRAMES
 * @why: set as for struct wire_key
 *
 * Return: number of frames in @u->to.pc, innermost first; 0 for a thread without user memory.
 */
static __always_inline __u32 walk_by_tables(struct unwind *u, const struct user_regs *regs,
					    const struct task_struct *task, __u32 max, __u8 *why)
{
	__u32 reason;

	*why = WIRE_WHY_NO_USER;
	if (!max || (task->flags & PF_KTHREAD) || !task->mm)
		return 0;
	walk_regs(u, regs);
	u->state.fp_at = 0;
	u->state.sigcontext = 0;
	u->state.regs_in = USTACK_REGS_SAMPLE;
	u->state.scratch_in = USTACK_REGS_SAMPLE;
	u->state.exact = true;
	u->state.sp_bound = 0;
	u->max = max;
	if (!regs_native(regs)) {
		u->nr = 0;
		unwind_put(u, u->state.pc);
		*why = WIRE_WHY_FOREIGN;
		return u->nr;
	}
	u->start_stack = task->mm->start_stack;
	reason = unwind_walk(u);
	*why = reason == USTACK_COMPLETE && u->mem.guessed ? WIRE_WHY_GUESSED : reason;
	return u->nr;
}

#endif /* USTACK_BPF_WALK_TABLES_H */
