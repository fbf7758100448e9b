/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's structures, as far as the programs use them. libbpf finds where each field is in
 * the running kernel (CO-RE), by these names: so nothing here depends on the kernel of the
 * building machine.
 */
#ifndef USTACK_BPF_KERNEL_H
#define USTACK_BPF_KERNEL_H

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

/* x86 and arm64 have it */
typedef struct {
	void *vdso;
} mm_context_t;

/* in kernels with CONFIG_UPROBES; except for the type, private to kernel/events/uprobes.c */
struct xol_area {
	unsigned long vaddr;
};

struct uprobes_state {
	struct xol_area *xol_area;
};

struct return_instance {
	unsigned long stack;
	unsigned long orig_ret_vaddr;
	struct return_instance *next;
};

struct uprobe_task {
	struct return_instance *return_instances;
};

struct mm_struct {
	atomic_t mm_users;
	unsigned long exec_vm;
	unsigned long start_code;
	unsigned long start_stack;
	mm_context_t context;
	struct uprobes_state uprobes_state;
};

typedef struct {
	unsigned int val;
} kuid_t;

struct ns_common {
	unsigned int inum;
};

struct user_namespace {
	struct user_namespace *parent;
	int level;
	kuid_t owner;
	struct ns_common ns;
};

struct cred {
	kuid_t uid;
	struct user_namespace *user_ns;
};

struct signal_struct {
	int nr_threads;
};

#if defined(__TARGET_ARCH_x86)
struct thread_struct {
	unsigned long fsbase;
};
#elif defined(__TARGET_ARCH_arm64)
struct thread_struct {
	struct {
		unsigned long tp_value;
	} uw;
};
#endif

struct task_struct {
	unsigned int flags;
	int pid;
	int tgid;
	struct mm_struct *mm;
	struct signal_struct *signal;
	struct completion *vfork_done;
	struct task_struct *group_leader;
	__u64 start_boottime;
	__u64 self_exec_id;
	struct uprobe_task *utask;
	const struct cred *real_cred;
	struct thread_struct thread;
};

struct timespec64 {
	__s64 tv_sec;
	long tv_nsec;
};

struct super_block {
	__u32 s_dev;
};

struct inode {
	unsigned int i_flags;
	struct super_block *i_sb;
	unsigned long i_ino;
	struct timespec64 i_ctime;
};

struct file {
	struct inode *f_inode;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	struct mm_struct *vm_mm;
	unsigned long vm_flags;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

struct bpf_iter_meta {
	__u64 seq_num;
};

struct bpf_iter__task_vma {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
	struct vm_area_struct *vma;
};

struct linux_binprm;

#pragma clang attribute pop

#define PF_KTHREAD 0x00200000
#define VM_EXEC 0x00000004
#define TASK_RUNNING 0
#define TASK_DEAD 0x00000080

/*
 * The context of programs at perf events: struct bpf_perf_event_data of linux/bpf_perf_event.h,
 * with the registers of the target architecture (the header has those of the building machine).
 * It is ABI, so it needs no CO-RE. A task's struct pt_regs begins with the same registers, in
 * this order.
 */
#if defined(__TARGET_ARCH_x86)
struct user_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8;
	unsigned long ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};

#define regs_user_mode(r) (((r)->cs & 3) == 3)
/* the task uses the kernel's own ABI: its code segment is __USER_CS */
#define regs_native(r) ((r)->cs == 0x33)
#define regs_pc(r) ((r)->ip)
#define regs_syscall_at(r) ((r)->orig_ax)
#define NR_EXECVE 59
#define NR_EXECVEAT 322
#define regs_first_argument(r) ((r)->di)
#define regs_second_argument(r) ((r)->si)
#define regs_third_argument(r) ((r)->dx)
#elif defined(__TARGET_ARCH_arm64)
struct user_regs {
	unsigned long regs[31];
	unsigned long sp;
	unsigned long pc;
	unsigned long pstate;
};

#define regs_user_mode(r) (((r)->pstate & 0xf) == 0)
#define regs_native(r) (!((r)->pstate & 0x10))
#define regs_pc(r) ((r)->pc)
/* Register x8 of the call; the kernel keeps its own copy after these registers. */
#define regs_syscall_at(r) ((r)->regs[8])
#define NR_EXECVE 221
#define NR_EXECVEAT 281
#define regs_first_argument(r) ((r)->regs[0])
#define regs_second_argument(r) ((r)->regs[1])
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
