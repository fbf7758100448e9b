/* SPDX-License-Identifier: GPL-2.0-only */
/* perf's limits in /proc/sys/kernel. */
#ifndef GT_SYSCTL_H
#define GT_SYSCTL_H

unsigned int sysctl_get(const char *name, unsigned int otherwise);

/*
 * Copying 64 KB of stack takes long; in an emulator it takes too long for the kernel, which
 * then lowers the rate of all sampling permanently. This prevents it.
 */
void sysctl_unthrottle(unsigned int freq);
void sysctl_restore(void);

#endif /* GT_SYSCTL_H */
