// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads CPU time and memory of this process and its children from getrusage(2) and /proc. The
 * budget and the metrics use it.
 */
#include "serve/daemon/cpu_use.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/poison.h"

static uint64_t ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

static uint64_t usage(int who)
{
	struct rusage u;

	return getrusage(who, &u) ? 0 : ns_of(&u.ru_utime) + ns_of(&u.ru_stime);
}

/*
 * Reads /proc/PID/stat. *@ret is the end of the name, from which field 3 of proc(5) follows; the
 * name itself may have any bytes.
 */
static bool read_stat(const char *pid, char *buf, size_t size, const char **ret)
{
	char path[64];
	size_t len;
	FILE *f;

	if (snprintf(path, sizeof(path), "/proc/%s/stat", pid) >= (int)sizeof(path))
		return false;
	f = fopen(path, "re");
	if (!f)
		return false;
	len = fread(buf, 1, size - 1, f);
	fclose(f);
	buf[len] = '\0';
	*ret = strrchr(buf, ')');
	return *ret != NULL;
}

/* CPU time of a process and of the children it has waited for, if @parent is its parent. */
static uint64_t child_ns(const char *pid, long parent)
{
	uint64_t ticks[4];
	char buf[1024];
	const char *p;
	long ppid;

	if (!read_stat(pid, buf, sizeof(buf), &p))
		return 0;
	if (sscanf(p, ") %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64, &ppid, &ticks[0], &ticks[1], &ticks[2],
		   &ticks[3]) != 5 || ppid != parent)
		return 0;
	return (ticks[0] + ticks[1] + ticks[2] + ticks[3]) *
	       (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* CPU time of the children of one thread, which the kernel lists in /proc/PID/task/TID/children. */
static uint64_t children_of(const char *tid, long parent)
{
	char path[64], *pid, *save = NULL;
	uint64_t sum = 0;
	char buf[4096];
	size_t len;
	FILE *f;

	if (snprintf(path, sizeof(path), "/proc/self/task/%s/children", tid) >=
	    (int)sizeof(path))
		return 0;
	f = fopen(path, "re");
	if (!f)
		return 0;
	len = fread(buf, 1, sizeof(buf) - 1, f);
	fclose(f);
	buf[len] = '\0';
	for (pid = strtok_r(buf, " \n", &save); pid; pid = strtok_r(NULL, " \n", &save))
		sum += child_ns(pid, parent);
	return sum;
}

static uint64_t running_children(void)
{
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *e;
	uint64_t sum = 0;

	while (dir && (e = readdir(dir)))
		if (isdigit((unsigned char)e->d_name[0]))
			sum += children_of(e->d_name, (long)getpid());
	if (dir)
		closedir(dir);
	return sum;
}

static uint64_t resident(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	uint64_t pages = 0;

	if (f && fscanf(f, "%*u %" SCNu64, &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void cpu_use_read(struct cpu_use *ret)
{
	*ret = (struct cpu_use){
		.self_ns = usage(RUSAGE_SELF),
		.children_ns = usage(RUSAGE_CHILDREN) + running_children(),
		.rss_bytes = resident(),
	};
}
