/* SPDX-License-Identifier: GPL-2.0-only */
/* From root to a user with the few rights that its work takes. */
#ifndef USTACK_USER_JAIL_PRIVILEGE_H
#define USTACK_USER_JAIL_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/diag.h"

/**
 * struct privilege_user - whom to become
 * @uid: user
 * @gid: the user's group
 * @has_group: is a member of @group besides
 * @group: another group
 */
struct privilege_user {
	uid_t uid;
	gid_t gid;
	bool has_group;
	gid_t group;
};

/**
 * privilege_find() - look a user up in /etc/passwd
 * @name: a name, or a number that has an entry
 * @ret: the user
 * @diag: may be NULL
 *
 * Return: 0, -ENOENT or another negative errno.
 */
int privilege_find(const char *name, struct privilege_user *ret,
		   struct diag *diag);

/* The same of /etc/group: a name, or a number that has an entry. */
int privilege_find_group(const char *name, gid_t *ret, struct diag *diag);

/**
 * privilege_drop() - become a user, for good
 * @user: whom
 * @diag: may be NULL
 *
 * Of the capabilities these stay, as far as the process had them: CAP_PERFMON for
 * the module; CAP_SYS_PTRACE and CAP_CHECKPOINT_RESTORE for /proc/PID/map_files
 * and /proc/PID/root of others; CAP_DAC_READ_SEARCH for files that not everybody
 * may read.
 *
 * Return: 0 or a negative errno; then the process must not go on.
 */
int privilege_drop(const struct privilege_user *user, struct diag *diag);

/**
 * privilege_drop_to() - become a user, for good, with other capabilities
 * @user: whom
 * @keep: 1 << CAP_..., for each that stays, as far as the process had it. With CAP_SETUID
 *        and CAP_SETGID its children can be others still
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; then the process must not go on.
 */
int privilege_drop_to(const struct privilege_user *user, uint64_t keep, struct diag *diag);

/* Programs that this process executes have those of privilege_drop(), as far as it has them
 * itself. Return: 0 or a negative errno.
 */
int privilege_pass_on(void);

#define PRIVILEGE_NOBODY 65534

/**
 * privilege_nobody() - root becomes nobody, for good
 * @keep: 1 << CAP_..., for each capability that stays, as far as the process had it
 *
 * A process that may not change its user stays who it is, with these capabilities.
 *
 * Return: 0 or a negative errno; then the process must not go on.
 */
int privilege_nobody(uint64_t keep);

/* Gives up all capabilities but @keep. Return: 0 or a negative errno. */
int privilege_keep(uint64_t keep);

/* From here on no program that is executed gets more rights. */
void privilege_lock(void);

#endif /* USTACK_USER_JAIL_PRIVILEGE_H */
