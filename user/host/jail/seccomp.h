/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/host/jail: forbids system calls in a jail with a filter of seccomp(2).
 *
 * They fail with EPERM, except clone3(), which fails with ENOSYS: its flags are in
 * memory, which a filter cannot read, and the C library falls back to clone().
 */
#ifndef USTACK_USER_JAIL_SECCOMP_H
#define USTACK_USER_JAIL_SECCOMP_H

#include "host/jail/jail.h"

/**
 * seccomp_apply() - forbid system calls in this thread and all that it starts
 * @limits: limits of the jail; @paths, @network and @program are used
 *
 * Context: in the jail, with PR_SET_NO_NEW_PRIVS set.
 *
 * Return: 0 or a negative errno; -EINVAL if the kernel has no CONFIG_SECCOMP_FILTER.
 */
int seccomp_apply(const struct jail_limits *limits);

#endif /* USTACK_USER_JAIL_SECCOMP_H */
