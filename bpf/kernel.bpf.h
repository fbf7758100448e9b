/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's structures, as far as the programs use them. libbpf finds where each field
 * is in the kernel that runs (CO-RE), by these names: nothing here depends on the kernel
 * of the machine that builds.
 */
#ifndef USTACK_BPF_KERNEL_H
#define USTACK_BPF_KERNEL_H

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mm_struct;

struct task_struct {
	unsigned int flags;
	int pid;
	int tgid;
	struct mm_struct *mm;
	struct task_struct *group_leader;
	__u64 start_boottime;
};

struct vm_area_struct {
	unsigned long vm_flags;
};

struct linux_binprm;

#pragma clang attribute pop

#define PF_KTHREAD 0x00200000
#define VM_EXEC 0x00000004
#define TASK_RUNNING 0
#define TASK_DEAD 0x00000080

/*
 * The context of programs at perf events: struct bpf_perf_event_data of
 * linux/bpf_perf_event.h, with the registers of the architecture that is built for (the
 * header has those of the machine that builds). Not CO-RE: it is ABI. They are also the first
 * of a task's struct pt_regs, in this order.
 */
#if defined(__TARGET_ARCH_x86)
struct user_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8;
	unsigned long ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};

#define regs_user_mode(r) (((r)->cs & 3) == 3)
#define regs_first_argument(r) ((r)->di)
#define regs_third_argument(r) ((r)->dx)
#elif defined(__TARGET_ARCH_arm64)
struct user_regs {
	unsigned long regs[31];
	unsigned long sp;
	unsigned long pc;
	unsigned long pstate;
};

#define regs_user_mode(r) (((r)->pstate & 0xf) == 0)
#define regs_first_argument(r) ((r)->regs[0])
#define regs_third_argument(r) ((r)->regs[2])
#else
#error "no such architecture"
#endif

struct bpf_perf_event_data {
	struct user_regs regs;
	__u64 sample_period;
	__u64 addr;
};

#endif /* USTACK_BPF_KERNEL_H */
