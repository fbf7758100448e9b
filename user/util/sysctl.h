/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings of the running kernel, from /proc/sys/kernel.
 */
#ifndef USTACK_USER_SYSCTL_H
#define USTACK_USER_SYSCTL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * sysctl_kernel() - read a setting that is a number
 * @name: path below /proc/sys/kernel, such as "perf_event_paranoid"
 * @ret: written on success only
 *
 * Return: false if the setting does not exist or is not a number.
 */
bool sysctl_kernel(const char *name, int64_t *ret);

#endif /* USTACK_USER_SYSCTL_H */
