/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pt_regs and user memory in the core's form, for the kernel's own
 * architecture.
 */
#ifndef USTACK_REGS_H
#define USTACK_REGS_H

#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "step.h"
#include "user_word.h"

/* The walk's access to the current process. */
struct ustack_user {
	struct ustack_mem mem;
	struct pt_regs *regs;
};

/* The kernel's own architecture. */
#ifdef CONFIG_X86_64
#define ustack_arch_native (&ustack_arch_x86_64)
#define USTACK_TAG_BITS 0
#elif defined(CONFIG_ARM64)
#define ustack_arch_native (&ustack_arch_aarch64)
#define USTACK_TAG_BITS 8
#else
#error "ustack knows x86-64 and arm64"
#endif

/**
 * ustack_regs_native() - whether registers belong to a task that we can unwind
 * @regs: user registers of current
 *
 * The kernel's own code handles 32-bit tasks, and samples taken while a virtual
 * CPU runs its guest.
 *
 * Context: NMI-safe.
 */
static __always_inline bool ustack_regs_native(struct pt_regs *regs)
{
	if (!regs || !user_mode(regs) || current->flags & PF_VCPU)
		return false;
#ifdef CONFIG_X86_64
	return regs->cs == __USER_CS && !test_thread_flag(TIF_ADDR32);
#elif defined(CONFIG_ARM64)
	return !compat_user_mode(regs);
#endif
}

/*
 * The no-fault reader: reads a word of user memory. NMI-safe: runs with page
 * faults disabled, so that an absent page makes the access fail through its
 * exception table entry instead of sleeping. The first test refuses a word that
 * crosses the end of user memory.
 */
static __always_inline bool ustack_user_read_u64(struct ustack_mem *mem,
						 u64 addr, u64 *ret)
{
	u64 v;

	if (unlikely(!ustack_is_user_word(addr, mem->user_end, USTACK_TAG_BITS)))
		return false;
	if (unlikely(__get_user(v, (u64 __user *)addr)))
		return false;
	*ret = v;
	return true;
}

/*
 * Begins a section of many reads: the CPU is told once, not at each word, that
 * user memory will be accessed. Within it only inlined functions may be called.
 * NMI-safe: interrupts save and clear the flag that it sets. Return: whether
 * reads may be made; then ustack_user_end() must follow.
 */
static __always_inline bool ustack_user_begin(void)
{
	return user_access_begin((u64 __user *)0, sizeof(u64));
}

#define ustack_user_end() user_access_end()

/*
 * ustack_user_read_u64() within such a section. The address comes from the
 * stack itself: it is also clamped for speculation, in place of the barrier
 * that __get_user() puts in front of every word.
 */
static __always_inline bool ustack_user_read_within(struct ustack_mem *mem,
						    u64 addr, u64 *ret)
{
	u64 end = mem->user_end - (sizeof(u64) - 1);
	u64 at = ustack_untag(addr, USTACK_TAG_BITS);

	if (unlikely(at >= end))
		return false;
	addr &= array_index_mask_nospec(at, end);
	unsafe_get_user(*ret, (u64 __user *)addr, fault);
	return true;
fault:
	return false;
}

/**
 * ustack_user_init() - prepare for walking current's stack
 * @user: filled in; borrows @regs
 * @regs: user registers of current
 * @state: the sampled frame
 *
 * Context: NMI-safe.
 * Return: whether user memory may be read in this context. If so, page faults
 * are disabled until ustack_user_exit().
 */
bool ustack_user_init(struct ustack_user *user, struct pt_regs *regs,
		      struct ustack_state *state);

/*
 * Disables page faults again after ustack_user_exit(), like ustack_user_init().
 * Context: NMI-safe.
 */
static inline void ustack_user_enter(struct ustack_user *user)
{
	pagefault_disable();
}

/**
 * ustack_user_fault_in() - wait for a word of user memory
 * @user: the walk's access, between ustack_user_exit() and ustack_user_enter()
 * @addr: address of the word, at any alignment
 *
 * Context: process, may sleep.
 * Return: whether it is present now; it may not stay so.
 */
static inline bool ustack_user_fault_in(struct ustack_user *user, u64 addr)
{
	u8 byte;

	return !get_user(byte, (u8 __user *)addr) &&
	       !get_user(byte, (u8 __user *)(addr + sizeof(u64) - 1));
}

/* Undoes ustack_user_init(). Context: NMI-safe. */
static inline void ustack_user_exit(struct ustack_user *user)
{
	pagefault_enable();
}

#endif /* USTACK_REGS_H */
