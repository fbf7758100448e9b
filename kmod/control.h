/* SPDX-License-Identifier: GPL-2.0-only */
/* Control: /dev/ustack, as described in kmod/uapi/ustack.h. */
#ifndef USTACK_CONTROL_H
#define USTACK_CONTROL_H

#include <linux/types.h>

struct ustack_info;

int ustack_control_init(void);
void ustack_control_exit(void);

/*
 * Return: whether the caller may know of all users' processes: CAP_PERFMON or
 * CAP_SYS_ADMIN in the initial user namespace. Context: process.
 */
bool ustack_may_administer(void);

/* Fills all fields but the size. Context: process. */
void ustack_control_info(struct ustack_info *ret);

#endif /* USTACK_CONTROL_H */
