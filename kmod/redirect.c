// SPDX-License-Identifier: GPL-2.0-only
/*
 * Redirects perf_callchain_user() and, on kernels that have it, unwind_user().
 * The redirections run in the context of a sample; start and stop in process
 * context.
 *
 * Unloading: unregister_ftrace_function() ends new redirections. Then, in this order:
 *
 * - synchronize_rcu() waits for code that runs with preemption disabled, such as
 *   interrupts and NMIs: then none is inside ustack_callchain_user() any more.
 * - synchronize_rcu_tasks() waits until every task has slept or left the kernel: then
 *   no preempted task is inside it either, and a task on the way into
 *   unwind_user_instead() has left it again, or sleeps in it, and so is counted.
 * - wait_for_deferred() waits for the counted tasks.
 * - synchronize_rcu_tasks() again: after the count they do not sleep, so they have
 *   left our text.
 */
#include "redirect.h"

#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>
#ifdef CONFIG_UNWIND_USER
#include <linux/unwind_user_types.h>
#endif

#include "callchain.h"
#include "compat.h"
#include "hook.h"
#include "regs.h"
#include "ustack.h"

/* Used by both: whether the module may walk the stack of these registers. */
static __always_inline bool ours(struct pt_regs *regs)
{
	return READ_ONCE(ustack_enabled) && ustack_regs_native(regs);
}

/*
 * In the context of the sample, also NMI: decides and sets the instruction
 * pointer, nothing else. For other registers the original function runs
 * unchanged.
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
/*
 * Number of tasks inside unwind_user_instead(), our only function in which a
 * sample may wait.
 */
static atomic_t nr_deferred;
static DECLARE_WAIT_QUEUE_HEAD(deferred_done);

/*
 * Replaces unwind_user(): in task context on the way to user mode, where it may
 * sleep.
 */
static int unwind_user_instead(struct unwind_stacktrace *trace,
			       unsigned int max_entries)
{
	trace->nr = 0;
	if (WARN_ON_ONCE(!max_entries))
		return -EINVAL;
	atomic_inc(&nr_deferred);
	trace->nr = ustack_callchain_entries(task_pt_regs(current),
					     trace->entries, max_entries);
	if (atomic_dec_and_test(&nr_deferred))
		wake_up(&deferred_done);
	return 0;
}

/* A page on a server that does not answer can take long. */
static void wait_for_deferred(void)
{
	while (!wait_event_idle_timeout(deferred_done,
					!atomic_read(&nr_deferred), 10 * HZ))
		pr_notice_ratelimited("unloading waits for %d tasks whose stack is not in memory\n",
				      atomic_read(&nr_deferred));
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
	synchronize_rcu();
	synchronize_rcu_tasks();
#ifdef CONFIG_UNWIND_USER
	wait_for_deferred();
	synchronize_rcu_tasks();
#endif
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
