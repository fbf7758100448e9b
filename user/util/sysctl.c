// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads settings of the running kernel (util/sysctl.h).
 */
#include "util/sysctl.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/poison.h"

bool sysctl_kernel(const char *name, int64_t *ret)
{
	char path[128];
	bool good;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	f = fopen(path, "re");
	if (!f)
		return false;
	good = fscanf(f, "%" SCNd64, ret) == 1;
	fclose(f);
	return good;
}
