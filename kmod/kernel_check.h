/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel check: may the module hook the functions of the running kernel? */
#ifndef USTACK_KERNEL_CHECK_H
#define USTACK_KERNEL_CHECK_H

#include <linux/types.h>

/**
 * ustack_kernel_check() - refuse a kernel that the module may not fit
 * @force: load into a release that was not tested, or whose prototypes cannot
 *	be read. A prototype that is known to differ is refused all the same.
 *
 * The kernel's log has the reason of a refusal in words.
 *
 * Context: process, may sleep.
 * Return: 0 or -EOPNOTSUPP.
 */
int ustack_kernel_check(bool force);

#endif /* USTACK_KERNEL_CHECK_H */
