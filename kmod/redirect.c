// SPDX-License-Identifier: GPL-2.0
/*
 * perf_callchain_user() and, on kernels that have it, unwind_user().
 *
 * Unloading: neither replacement sleeps. unregister_ftrace_function() ends new
 * redirections; synchronize_rcu_tasks() then waits until every task has slept
 * or left the kernel, so none that was preempted inside a replacement, or on
 * the way into it, is left; and synchronize_rcu_tasks_rude() until every CPU
 * has scheduled, so no interrupt or NMI is inside either.
 */
#include "redirect.h"

#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#ifdef CONFIG_UNWIND_USER
#include <linux/unwind_user_types.h>
#endif

#include "callchain.h"
#include "compat.h"
#include "hook.h"
#include "regs.h"
#include "ustack.h"

/* Shared by both: may we answer for these registers? */
static __always_inline bool ours(struct pt_regs *regs)
{
	return READ_ONCE(ustack_enabled) && ustack_regs_native(regs);
}

/*
 * In the context of the sample, also NMI: decides and sets the instruction
 * pointer, nothing else. For what is not ours the original runs untouched.
 */
static void notrace redirect_callchain(unsigned long ip, unsigned long parent_ip,
				       struct ftrace_ops *ops,
				       struct ftrace_regs *fregs)
{
	if (ours((struct pt_regs *)ustack_fregs_arg(fregs, 1)))
		ustack_fregs_set_ip(fregs, (unsigned long)ustack_callchain_user);
}

static struct ustack_hook callchain_hook = {
	.name = "perf_callchain_user",
	.bit = USTACK_HOOK_CALLCHAIN,
	.ops = {
		.func = redirect_callchain,
		.flags = FTRACE_OPS_FL_IPMODIFY,
	},
};

#ifdef CONFIG_UNWIND_USER
/* As unwind_user(): in task context on the way to user mode. */
static int unwind_user_instead(struct unwind_stacktrace *trace,
			       unsigned int max_entries)
{
	trace->nr = 0;
	if (WARN_ON_ONCE(!max_entries))
		return -EINVAL;
	trace->nr = ustack_callchain_entries(task_pt_regs(current),
					     trace->entries, max_entries);
	return 0;
}

static void notrace redirect_unwind(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *ops,
				    struct ftrace_regs *fregs)
{
	if (!(current->flags & PF_KTHREAD) && ours(task_pt_regs(current)))
		ustack_fregs_set_ip(fregs, (unsigned long)unwind_user_instead);
}

static struct ustack_hook deferred_hook = {
	.name = "unwind_user",
	.bit = USTACK_HOOK_DEFERRED,
	.ops = {
		.func = redirect_unwind,
		.flags = FTRACE_OPS_FL_IPMODIFY,
	},
};
#endif

void ustack_redirect_start(void)
{
	if (ustack_hook_add(&callchain_hook))
		pr_err("user callchains stay the kernel's own\n");
#ifdef CONFIG_UNWIND_USER
	if (ustack_hook_add(&deferred_hook))
		pr_err("deferred user callchains stay the kernel's own\n");
#endif
}

void ustack_redirect_stop(void)
{
	ustack_hook_remove(&callchain_hook);
#ifdef CONFIG_UNWIND_USER
	ustack_hook_remove(&deferred_hook);
#endif
	synchronize_rcu_tasks();
	synchronize_rcu_tasks_rude();
}

u32 ustack_redirect_bits(void)
{
	u32 bits = callchain_hook.registered ? callchain_hook.bit : 0;

#ifdef CONFIG_UNWIND_USER
	if (deferred_hook.registered)
		bits |= deferred_hook.bit;
#endif
	return bits;
}
