/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hook: kernel functions that call us first, through ftrace. The observing
 * hooks keep spaces up to date; the redirecting ones are in redirect.h.
 */
#ifndef USTACK_HOOK_H
#define USTACK_HOOK_H

#include <linux/ftrace.h>

/**
 * struct ustack_hook - a hook of one kernel function
 * @name: symbol of the function
 * @bit: USTACK_HOOK_*; 0 for a hook that belongs to another one
 * @ops: ftrace's data; the owner sets @ops.func and @ops.flags
 * @registered: the hook is in place
 */
struct ustack_hook {
	const char *name;
	u32 bit;
	struct ftrace_ops ops;
	bool registered;
};

/**
 * ustack_hook_add() - put a hook in place
 * @hook: the hook, filled in by the caller; must have static storage
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if the kernel has no such traceable function, -EBUSY if
 * another module or a live patch redirects it or ftrace is switched off,
 * -ENODEV if ftrace has failed. The kernel log has the reason in words.
 */
int ustack_hook_add(struct ustack_hook *hook);

/*
 * Removes the hook; does nothing if it is not in place. After return no call is
 * inside ftrace's own code for it. Context: process, may sleep.
 */
void ustack_hook_remove(struct ustack_hook *hook);

/*
 * Start and stop the observing hooks, all or none. Context: process, may sleep.
 */
int ustack_observe_start(void);
void ustack_observe_stop(void);

/* USTACK_HOOK_* of the observing hooks that are in place. */
u32 ustack_observe_bits(void);

#endif /* USTACK_HOOK_H */
