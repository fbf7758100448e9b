// SPDX-License-Identifier: GPL-2.0-only
/*
 * Warns when it is loaded, and does nothing else: vm-selftest uses it to prove that a kernel
 * warning makes a run fail.
 */
#include <linux/bug.h>
#include <linux/module.h>

static int __init vm_warn_init(void)
{
	WARN(1, "on purpose\n");
	return 0;
}
module_init(vm_warn_init);

static void __exit vm_warn_exit(void)
{
}
module_exit(vm_warn_exit);

MODULE_DESCRIPTION("a warning on purpose");
MODULE_LICENSE("GPL");
