// SPDX-License-Identifier: GPL-2.0-only
/*
 * The observing hooks. Their callbacks run at the entry of a kernel function,
 * in the task that called it; they do not sleep, and do not change the call.
 */
#undef pr_fmt
#define pr_fmt(fmt) "ustack: " fmt

#include "hook.h"

#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/mm_types.h>

#include "compat.h"
#include "image.h"
#include "learn.h"
#include "ustack.h"

/*
 * Return: the meaning of ftrace's error. -EBUSY has two meanings. A function
 * may be redirected only once, and only our redirecting hooks can fail with
 * that; they come after the observing hooks, which are PERMANENT, so that
 * ftrace cannot be switched off while they are in place.
 */
static const char *reason_of(const struct ustack_hook *hook, int err)
{
	switch (err) {
	case -EBUSY:
		if (hook->ops.flags & FTRACE_OPS_FL_IPMODIFY)
			return "a live patch or another module redirects it already";
		return "ftrace is switched off; sysctl kernel.ftrace_enabled=1 switches it on";
	case -ENODEV:
		return "ftrace has stopped for good after an error of its own, see further up";
	case -ENOENT:
	case -EINVAL:
		return "this kernel has no such function, or ftrace cannot trace it";
	case -ENOMEM:
		return "there is no memory";
	}
	return "ftrace refuses";
}

/*
 * Whether the filter of @ops has a function. If ftrace_set_filter() has no
 * memory for the function that it found, it sets an empty filter and returns
 * 0 (match_records() returns the error, its caller takes it for "found"; Linux
 * 6.1 to 7.3 at least). An empty filter means all functions of the kernel: the
 * callback would take their arguments for those of the hooked one.
 *
 * All empty filters are one object of ftrace, so one that is made without a
 * function tells its address. Hooks are added one at a time.
 *
 * Return: 0 or a negative error.
 */
static int check_filter(struct ftrace_ops *ops)
{
	static struct ftrace_ops none;
	int err = ftrace_set_filter(&none, NULL, 0, 1);

	if (err)
		return err;
	if (ustack_ftrace_filter(ops) == ustack_ftrace_filter(&none))
		err = -ENOMEM;
	ftrace_free_filter(&none);
	return err;
}

int ustack_hook_add(struct ustack_hook *hook)
{
	int err;

	/*
	 * PERMANENT: if the ftrace_enabled sysctl could switch a hook off, it
	 * would miss mappings.
	 */
	hook->ops.flags |= FTRACE_OPS_FL_PERMANENT | USTACK_FTRACE_REGS_FLAG;
	err = ftrace_set_filter(&hook->ops, (u8 *)hook->name,
				strlen(hook->name), 1);
	if (!err)
		err = check_filter(&hook->ops);
	if (!err)
		err = register_ftrace_function(&hook->ops);
	if (!err) {
		hook->registered = true;
		return 0;
	}
	ftrace_free_filter(&hook->ops);
	pr_err("%s() cannot be hooked: %s (error %d)\n", hook->name,
	       reason_of(hook, err), err);
	return err;
}

void ustack_hook_remove(struct ustack_hook *hook)
{
	if (!hook->registered)
		return;
	hook->registered = false;
	/*
	 * Waits until no task is in the trampoline, not even a preempted one.
	 */
	unregister_ftrace_function(&hook->ops);
	ftrace_free_filter(&hook->ops);
}

/* Callbacks do nothing until every observing hook is in place: a space made
 * earlier could miss a change.
 */
static bool live;

#define HOOK_ARGS                                                          \
	unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, \
		struct ftrace_regs *fregs

#define arg_vma(n) ((struct vm_area_struct *)ustack_fregs_arg(fregs, n))
#define arg_mm(n) ((struct mm_struct *)ustack_fregs_arg(fregs, n))

/* void perf_event_mmap(struct vm_area_struct *vma) */
static void notrace on_mmap(HOOK_ARGS)
{
	if (READ_ONCE(live))
		ustack_learn_mmap(arg_vma(0));
}

/* void unlink_anon_vmas(struct vm_area_struct *vma) */
static void notrace on_unlink(HOOK_ARGS)
{
	if (READ_ONCE(live))
		ustack_learn_unlink(arg_vma(0));
}

/* int uprobe_mmap(struct vm_area_struct *vma) */
static void notrace on_resize(HOOK_ARGS)
{
	if (READ_ONCE(live))
		ustack_learn_resize(arg_vma(0));
}

/* copy_vma(struct vm_area_struct **vmap, ulong addr, ulong len, pgoff_t pgoff, ...) */
static void notrace on_move(HOOK_ARGS)
{
	if (READ_ONCE(live))
		ustack_learn_move(
			*(struct vm_area_struct **)ustack_fregs_arg(fregs, 0),
			ustack_fregs_arg(fregs, 1), ustack_fregs_arg(fregs, 2),
			ustack_fregs_arg(fregs, 3));
}

/* void uprobe_dup_mmap(struct mm_struct *oldmm, struct mm_struct *newmm) */
static void notrace on_fork(HOOK_ARGS)
{
	if (READ_ONCE(live))
		ustack_learn_fork(arg_mm(0), arg_mm(1));
}

/* void perf_event_exec(void) */
static void notrace on_exec(HOOK_ARGS)
{
	if (READ_ONCE(live))
		ustack_learn_exec();
}

/* void exit_mmap(struct mm_struct *mm) */
static void notrace on_exit(HOOK_ARGS)
{
	if (READ_ONCE(live))
		ustack_learn_exit_mmap(arg_mm(0));
}

/*
 * void generic_shutdown_super(struct super_block *sb): the last mount is gone
 */
static void notrace on_shutdown(HOOK_ARGS)
{
	const struct super_block *sb = (void *)ustack_fregs_arg(fregs, 0);

	if (READ_ONCE(live))
		ustack_image_forget_device(new_encode_dev(sb->s_dev));
}

static struct ustack_hook observers[] = {
	{ .name = "generic_shutdown_super", .ops.func = on_shutdown },
	{ .name = "exit_mmap", .bit = USTACK_HOOK_EXIT, .ops.func = on_exit },
	{ .name = "unlink_anon_vmas", .bit = USTACK_HOOK_MUNMAP,
	  .ops.func = on_unlink },
	{ .name = "copy_vma", .ops.func = on_move },
	{ .name = "uprobe_mmap", .ops.func = on_resize },
	{ .name = "uprobe_dup_mmap", .bit = USTACK_HOOK_FORK,
	  .ops.func = on_fork },
	{ .name = "perf_event_mmap", .bit = USTACK_HOOK_MMAP,
	  .ops.func = on_mmap },
	{ .name = "perf_event_exec", .ops.func = on_exec },
};

int ustack_observe_start(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(observers); i++) {
		err = ustack_hook_add(&observers[i]);
		if (err) {
			ustack_observe_stop();
			return err;
		}
	}
	WRITE_ONCE(live, true);
	return 0;
}

void ustack_observe_stop(void)
{
	unsigned int i;

	WRITE_ONCE(live, false);
	for (i = 0; i < ARRAY_SIZE(observers); i++)
		ustack_hook_remove(&observers[i]);
}

u32 ustack_observe_bits(void)
{
	unsigned int i;
	u32 bits = 0;

	for (i = 0; i < ARRAY_SIZE(observers); i++)
		if (observers[i].registered)
			bits |= observers[i].bit;
	return bits;
}
