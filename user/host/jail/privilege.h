/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes from root to another user, and keeps only the rights that are needed. */
#ifndef USTACK_USER_JAIL_PRIVILEGE_H
#define USTACK_USER_JAIL_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/diag.h"

/**
 * struct privilege_user - a user to become
 * @uid: user number
 * @gid: number of the user's group
 * @has_group: @group is set
 * @group: number of an additional group
 */
struct privilege_user {
	uid_t uid;
	gid_t gid;
	bool has_group;
	gid_t group;
};

/**
 * privilege_find() - look up a user in /etc/passwd
 * @name: a name, or a number that has an entry
 * @ret: the user
 * @diag: may be NULL
 *
 * Return: 0, -ENOENT or another negative errno.
 */
int privilege_find(const char *name, struct privilege_user *ret,
		   struct diag *diag);

/* The same for a group in /etc/group. */
int privilege_find_group(const char *name, gid_t *ret, struct diag *diag);

/**
 * privilege_drop() - become another user for good
 * @user: the user
 * @diag: may be NULL
 *
 * These capabilities are kept if the process has them: CAP_PERFMON for the module;
 * CAP_SYS_PTRACE and CAP_CHECKPOINT_RESTORE for /proc/PID/map_files and /proc/PID/root of
 * other processes; CAP_DAC_READ_SEARCH for files that not everybody may read.
 *
 * Return: 0 or a negative errno; then the process must not continue.
 */
int privilege_drop(const struct privilege_user *user, struct diag *diag);

/**
 * privilege_drop_to() - become another user for good, with chosen capabilities
 * @user: the user
 * @keep: capabilities that are kept if the process has them, as 1 << CAP_... With
 *        CAP_SETUID and CAP_SETGID its children can still become other users
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; then the process must not continue.
 */
int privilege_drop_to(const struct privilege_user *user, uint64_t keep, struct diag *diag);

/*
 * Lets programs that this process executes have the capabilities of privilege_drop(), if
 * it has them itself. Return: 0 or a negative errno.
 */
int privilege_pass_on(void);

#define PRIVILEGE_NOBODY 65534

/**
 * privilege_nobody() - become nobody for good, if this process is root
 * @keep: capabilities that are kept if the process has them, as 1 << CAP_...
 *
 * A process that may not change its user keeps it, and these capabilities.
 *
 * Return: 0 or a negative errno; then the process must not continue.
 */
int privilege_nobody(uint64_t keep);

/* Drops all capabilities except @keep. Return: 0 or a negative errno. */
int privilege_keep(uint64_t keep);

/* From now on executed programs cannot get more rights (PR_SET_NO_NEW_PRIVS). */
void privilege_lock(void);

#endif /* USTACK_USER_JAIL_PRIVILEGE_H */
