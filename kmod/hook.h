/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hook: functions of the running kernel that call us first, by ftrace. The
 * observing hooks keep spaces true; the redirecting ones are in redirect.h.
 */
#ifndef USTACK_HOOK_H
#define USTACK_HOOK_H

#include <linux/ftrace.h>

/**
 * struct ustack_hook - one function of the kernel
 * @name: its symbol
 * @bit: USTACK_HOOK_*, 0 for one that is part of another
 * @ops: ftrace's; @ops.func and @ops.flags are set by the owner
 * @registered: it is in place
 */
struct ustack_hook {
	const char *name;
	u32 bit;
	struct ftrace_ops ops;
	bool registered;
};

/**
 * ustack_hook_add() - put a hook in place
 * @hook: filled in by the caller; static storage
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if the kernel has no such traceable function, -EBUSY if
 * another module or a live patch redirects it or ftrace is switched off, -ENODEV
 * if ftrace has failed. Said in words in the kernel log.
 */
int ustack_hook_add(struct ustack_hook *hook);

/* Takes it away; nothing happens if it is not in place. After return no call
 * is inside ftrace's own code for it. Context: process, may sleep.
 */
void ustack_hook_remove(struct ustack_hook *hook);

/* The observing hooks, all or none. */
int ustack_observe_start(void);
void ustack_observe_stop(void);

/* USTACK_HOOK_* of the observing hooks that are in place. */
u32 ustack_observe_bits(void);

#endif /* USTACK_HOOK_H */
