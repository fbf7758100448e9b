/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of the kernel's first namespaces.
 */
#ifndef USTACK_USER_NAMESPACE_H
#define USTACK_USER_NAMESPACE_H

/*
 * Inode of the first PID namespace in /proc/PID/ns: PROC_PID_INIT_INO in the
 * kernel's proc_ns.h.
 */
#define NAMESPACE_FIRST_PID 0xeffffffcu

#endif /* USTACK_USER_NAMESPACE_H */
