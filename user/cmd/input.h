/* SPDX-License-Identifier: GPL-2.0-only */
/* The profile that a command reads. */
#ifndef USTACK_USER_CMD_INPUT_H
#define USTACK_USER_CMD_INPUT_H

#include "profile/profile.h"
#include "util/diag.h"

/* What record writes and the others read if nothing is said. */
#define CMD_PROFILE "ustack.pb.gz"

/**
 * cmd_load_profile() - read the profile, CMD_PROFILE where none was named
 * @path: as typed, - for standard input; NULL if none was. Set to what was read
 * @ret: released by profile_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int cmd_load_profile(const char **path, struct profile **ret, struct diag *diag);

#endif /* USTACK_USER_CMD_INPUT_H */
