/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/host/jail: the one folder below which a jail may write, by landlock(7). */
#ifndef USTACK_USER_JAIL_FOLDER_H
#define USTACK_USER_JAIL_FOLDER_H

/**
 * folder_only() - from here on nothing is made, changed or removed outside a folder
 * @fd: of the folder
 *
 * Descriptors that are open for writing already stay so. Owners, permissions and times of files are
 * not Landlock's: filter.h. /proc of processes that are not confined alike is closed, too.
 *
 * Context: in the jail, with PR_SET_NO_NEW_PRIVS set.
 *
 * Return: 0, also from a kernel that has no Landlock or has it switched off, where only the user's
 * rights hold; a negative errno.
 */
int folder_only(int fd);

#endif /* USTACK_USER_JAIL_FOLDER_H */
