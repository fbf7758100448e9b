/* SPDX-License-Identifier: GPL-2.0 */
/* pt_regs and user memory as the core sees them, for the kernel's own arch. */
#ifndef USTACK_REGS_H
#define USTACK_REGS_H

#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "step.h"

/* The walk's access to the current process. */
struct ustack_user {
	struct ustack_mem mem;
	struct pt_regs *regs;
};

/* The kernel's own architecture. */
#ifdef CONFIG_X86_64
#define ustack_arch_native (&ustack_arch_x86_64)
#else
#define ustack_arch_native (&ustack_arch_aarch64)
#endif

/**
 * ustack_regs_native() - whether registers belong to a task that we can unwind
 * @regs: user registers of current
 *
 * 32-bit tasks, and samples taken while a virtual CPU runs its guest, are left
 * to the kernel's own code.
 *
 * Context: NMI-safe.
 */
static __always_inline bool ustack_regs_native(struct pt_regs *regs)
{
	if (!regs || !user_mode(regs) || current->flags & PF_VCPU)
		return false;
#ifdef CONFIG_X86_64
	return regs->cs == __USER_CS && !test_thread_flag(TIF_ADDR32);
#else
	return !compat_user_mode(regs);
#endif
}

/*
 * The no-fault reader: a word of user memory. NMI-safe: runs with page faults
 * disabled, so that an absent page makes the access fail through its exception
 * table entry instead of sleeping. A word that crosses the end of user memory
 * is refused by the first test.
 */
static __always_inline bool ustack_user_read_u64(struct ustack_mem *mem,
						 u64 addr, u64 *ret)
{
	u64 v;

	if (unlikely(addr > mem->user_end - sizeof(v)))
		return false;
	if (unlikely(__get_user(v, (u64 __user *)addr)))
		return false;
	*ret = v;
	return true;
}

/**
 * ustack_user_init() - prepare for walking current's stack
 * @user: filled in; borrows @regs
 * @regs: user registers of current
 * @state: the sampled frame
 *
 * Context: NMI-safe.
 * Return: whether user memory may be touched at all in this context. Then page
 * faults are disabled until ustack_user_exit().
 */
bool ustack_user_init(struct ustack_user *user, struct pt_regs *regs,
		      struct ustack_state *state);

/* Undoes ustack_user_init(). Context: NMI-safe. */
static inline void ustack_user_exit(struct ustack_user *user)
{
	pagefault_enable();
}

#endif /* USTACK_REGS_H */
