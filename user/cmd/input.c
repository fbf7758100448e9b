// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/input.h"

#include <errno.h>

#include "profile/pprof.h"

#include "util/poison.h"

int cmd_load_profile(const char **path, struct profile **ret, struct diag *diag)
{
	bool named = *path;
	int err;

	if (!named)
		*path = CMD_PROFILE;
	err = pprof_load(*path, ret, diag);
	if (err == -ENOENT && !named)
		return diag_set(diag, ENOENT, *path, "there is no such file here: ustack record makes it");
	return err;
}
