// SPDX-License-Identifier: GPL-2.0-only
/*
 * ustack: whole user stacks for perf and BPF from SFrame tables.
 *
 * This file is the init ladder and its mirror, nothing else. The order matters:
 * spaces are kept up to date before samples use them, and no sample runs when
 * they are freed.
 */
#include <linux/module.h>

#include "callchain.h"
#include "control.h"
#include "hook.h"
#include "image.h"
#include "kernel_check.h"
#include "learn.h"
#include "limits.h"
#include "procfs.h"
#include "redirect.h"
#include "space.h"
#include "version.h"

unsigned int ustack_budget_mb = USTACK_BUDGET_MB_DEFAULT;
module_param_named(budget_mb, ustack_budget_mb, uint, 0644);
MODULE_PARM_DESC(budget_mb, "memory for unwind tables, MiB");

bool ustack_enabled = true;
module_param_named(enabled, ustack_enabled, bool, 0644);
MODULE_PARM_DESC(enabled, "0: user callchains are the kernel's own (kill switch)");

bool ustack_guess = true;
module_param_named(guess, ustack_guess, bool, 0644);
MODULE_PARM_DESC(guess, "0: no guesses in code without rows");

bool ustack_eager = true;
module_param_named(eager, ustack_eager, bool, 0644);
MODULE_PARM_DESC(eager, "0: files are not read before a process that has them mapped is sampled or prepared");

unsigned int ustack_max_frames = USTACK_MAX_FRAMES_DEFAULT;

static int set_max_frames(const char *val, const struct kernel_param *kp)
{
	return param_set_uint_minmax(val, kp, 1, USTACK_MAX_FRAMES_LIMIT);
}

static const struct kernel_param_ops max_frames_ops = {
	.set = set_max_frames,
	.get = param_get_uint,
};
module_param_cb(max_frames, &max_frames_ops, &ustack_max_frames, 0644);
MODULE_PARM_DESC(max_frames, "cap of frames in one stack");

static bool force;
module_param(force, bool, 0444);
MODULE_PARM_DESC(force, "1: load into a kernel that was not tested");

static int __init ustack_init(void)
{
	int err;

	err = ustack_kernel_check(force);
	if (err)
		return err;
	ustack_space_init();
	err = ustack_image_init();
	if (err)
		return err;
	err = ustack_learn_init();
	if (err)
		goto err_image;
	err = ustack_procfs_init();
	if (err)
		goto err_learn;
	err = ustack_observe_start();
	if (err)
		goto err_procfs;
	ustack_redirect_start();
	err = ustack_control_init();
	if (err)
		goto err_redirect;
	return 0;

err_redirect:
	ustack_redirect_stop();
	ustack_observe_stop();
err_procfs:
	ustack_procfs_exit();
err_learn:
	ustack_learn_exit();
	ustack_space_exit();
	rcu_barrier();
err_image:
	ustack_image_exit();
	rcu_barrier();
	return err;
}

static void __exit ustack_exit(void)
{
	ustack_control_exit();
	ustack_redirect_stop();		/* no sample is inside any more */
	ustack_observe_stop();		/* no hook makes or changes a space */
	ustack_procfs_exit();
	ustack_learn_exit();		/* no job runs any more */
	ustack_space_exit();
	rcu_barrier();			/* mapping lists have dropped their images */
	ustack_image_exit();
	rcu_barrier();			/* tables are freed */
}

module_init(ustack_init);
module_exit(ustack_exit);

MODULE_DESCRIPTION("Whole user stacks for perf and BPF from SFrame tables");
MODULE_AUTHOR("The ustack authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(USTACK_VERSION);
