// SPDX-License-Identifier: GPL-2.0-only
/* Calls a function by a pointer of another type: a kernel with kCFI must stop that. */
#include <linux/module.h>

static noinline int takes_int(int value)
{
	return value + 1;
}

/* not const, so that the compiler cannot see the function */
static void *volatile target = takes_int;

static int __init vm_cfi_init(void)
{
	int (*call)(unsigned long value) = target;

	pr_info("vm_cfi: a wrong call, on purpose\n");
	return call(1) == 2 ? 0 : -EINVAL;
}
module_init(vm_cfi_init);

static void __exit vm_cfi_exit(void)
{
}
module_exit(vm_cfi_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tests that kCFI is seen");
