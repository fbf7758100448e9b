// SPDX-License-Identifier: GPL-2.0-only
/* Calls perf_event_open(2), see event.h. */
#include "host/perf/event.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/poison.h"

static int open_with(struct perf_event_attr *attr, int pid, int cpu, unsigned long flags)
{
	long fd;

	attr->size = sizeof(*attr);
	fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1, flags | PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int perf_open(struct perf_event_attr *attr, int pid, int cpu)
{
	return open_with(attr, pid, cpu, 0);
}

int perf_open_cgroup(struct perf_event_attr *attr, int cgroup, int cpu)
{
	return open_with(attr, cgroup, cpu, PERF_FLAG_PID_CGROUP);
}

bool perf_stands_still(int fd, uint64_t *enabled)
{
	struct { uint64_t count, enabled, running; } now;
	bool still;

	if (read(fd, &now, sizeof(now)) < (ssize_t)offsetof(typeof(now), running))
		return false;
	still = now.enabled && now.enabled == *enabled;
	*enabled = now.enabled;
	return still;
}
