/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/host/jail: system calls that a jail may not make, as a filter of seccomp(2).
 *
 * They are refused with EPERM, but for clone3(), which is refused with ENOSYS: its flags are in
 * memory, where a filter cannot read them, and the C library goes on with clone().
 */
#ifndef USTACK_USER_JAIL_FILTER_H
#define USTACK_USER_JAIL_FILTER_H

#include "host/jail/jail.h"

/**
 * filter_apply() - from here on this thread and what it starts cannot make them
 * @limits: @paths, @network and @program count
 *
 * Context: in the jail, with PR_SET_NO_NEW_PRIVS set.
 *
 * Return: 0 or a negative errno: -EINVAL from a kernel without CONFIG_SECCOMP_FILTER.
 */
int filter_apply(const struct jail_limits *limits);

#endif /* USTACK_USER_JAIL_FILTER_H */
