/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/host/jail: limits writing to one folder, with landlock(7). */
#ifndef USTACK_USER_JAIL_LANDLOCK_H
#define USTACK_USER_JAIL_LANDLOCK_H

/**
 * landlock_folder() - forbid creating, changing and removing files outside a folder
 * @fd: descriptor of the folder
 *
 * Descriptors that are already open for writing keep working. Landlock does not cover
 * owners, permissions and times of files: seccomp.h does. /proc entries of processes
 * outside the jail are closed, too.
 *
 * Context: in the jail, with PR_SET_NO_NEW_PRIVS set.
 *
 * Return: 0, also if the kernel has no Landlock or has disabled it, and only the user's
 * file permissions apply; a negative errno.
 */
int landlock_folder(int fd);

#endif /* USTACK_USER_JAIL_LANDLOCK_H */
