/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/ustack/stat and /proc/ustack/images: for people. */
#ifndef USTACK_PROCFS_H
#define USTACK_PROCFS_H

int ustack_procfs_init(void);
void ustack_procfs_exit(void);

#endif /* USTACK_PROCFS_H */
