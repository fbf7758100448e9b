/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USTACK_USER_SYSCTL_H
#define USTACK_USER_SYSCTL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * sysctl_kernel() - a setting of the kernel that is a number
 * @name: below /proc/sys/kernel, such as "perf_event_paranoid"
 * @ret: written on success only
 *
 * Return: false if it is not there, or no number.
 */
bool sysctl_kernel(const char *name, int64_t *ret);

#endif /* USTACK_USER_SYSCTL_H */
