// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds tracefs, mounts it where it is missing, and looks for tracepoints and
 * kprobes in it. Called before something is attached. See tracefs.h.
 */
#include "capture/sampler/tracefs.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "util/poison.h"

#define TRACEFS "/sys/kernel/tracing"

bool tracefs_find(void)
{
	struct statfs fs;

	/* true even if it may not be read; libbpf looks in both places too */
	if ((!statfs(TRACEFS, &fs) && fs.f_type == TRACEFS_MAGIC) ||
	    !access("/sys/kernel/debug/tracing/events", F_OK))
		return true;
	/*
	 * without CAP_SYS_ADMIN do not try: a service's system call filter
	 * would kill it
	 */
	return prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN) == 1 &&
	       !mount("tracefs", TRACEFS, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

bool tracefs_has(const char *system, const char *name)
{
	static const char *const roots[] = { TRACEFS, "/sys/kernel/debug/tracing" };
	char path[256];
	size_t i;

	if (!tracefs_find())
		return true;
	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		snprintf(path, sizeof(path), "%s/events/%.64s/%.128s", roots[i], system, name);
		/* without permission to look it may still be there */
		if (!access(path, F_OK) || errno == EACCES)
			return true;
	}
	return false;
}

bool tracefs_has_kprobes(void)
{
	return !access("/sys/bus/event_source/devices/kprobe", F_OK) ||
	       !access(TRACEFS "/kprobe_events", F_OK);
}
