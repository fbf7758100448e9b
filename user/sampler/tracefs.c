// SPDX-License-Identifier: GPL-2.0
#include "sampler/tracefs.h"

#include <sys/mount.h>
#include <unistd.h>

#include "util/poison.h"

#define TRACEFS "/sys/kernel/tracing"

bool tracefs_find(void)
{
	/* a folder that may not be read is there; libbpf looks at both, too */
	if (!access(TRACEFS "/events", F_OK) || !access("/sys/kernel/debug/tracing/events", F_OK))
		return true;
	return !mount("tracefs", TRACEFS, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}
