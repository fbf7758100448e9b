// SPDX-License-Identifier: GPL-2.0-only
/* Metrics of this process, with the names that Prometheus' client libraries use. */
#include "serve/daemon/metrics.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/poison.h"

/* Fields of /proc/self/stat. */
struct process_stat {
	uint64_t threads;
	uint64_t start_ticks;
	uint64_t virtual_bytes;
	uint64_t resident_pages;
};

static bool read_stat(struct process_stat *ret)
{
	FILE *f = fopen("/proc/self/stat", "re");
	char line[1024];
	const char *at;
	bool ok;

	if (!f)
		return false;
	ok = fgets(line, sizeof(line), f);
	fclose(f);
	/* the name is in parentheses, and may have parentheses itself */
	at = ok ? strrchr(line, ')') : NULL;
	return at && sscanf(at + 1,
			    " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d"
			    " %" SCNu64 " %*d %" SCNu64 " %" SCNu64 " %" SCNu64,
			    &ret->threads, &ret->start_ticks, &ret->virtual_bytes,
			    &ret->resident_pages) == 4;
}

static uint64_t boot_seconds(void)
{
	FILE *f = fopen("/proc/stat", "re");
	uint64_t seconds = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "btime %" SCNu64, &seconds) == 1)
			break;
	if (f)
		fclose(f);
	return seconds;
}

static void put_gauge(struct metrics_out *out, const char *name, const char *help, double value)
{
	metrics_family(out, name, METRICS_GAUGE, help);
	metrics_value(out, value, NULL);
}

static uint64_t open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	uint64_t nr = 0;

	while (d && readdir(d))
		nr++;
	if (d)
		closedir(d);
	/* ".", "..", and that of the folder itself */
	return nr > 3 ? nr - 3 : 0;
}

static void put_cpu(struct metrics_out *out)
{
	struct rusage u;

	if (getrusage(RUSAGE_SELF, &u))
		return;
	metrics_family(out, "process_cpu_seconds_total", METRICS_COUNTER,
		       "Total user and system CPU time spent in seconds.");
	metrics_value(out, (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		      (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6, NULL);
}

void metrics_process(struct metrics_out *out, void *arg)
{
	struct process_stat s;
	struct rlimit limit;

	put_cpu(out);
	put_gauge(out, "process_open_fds", "Number of open file descriptors.",
		  (double)open_descriptors());
	if (!getrlimit(RLIMIT_NOFILE, &limit))
		put_gauge(out, "process_max_fds", "Maximum number of open file descriptors.",
			  (double)limit.rlim_cur);
	if (!read_stat(&s))
		return;
	put_gauge(out, "process_virtual_memory_bytes", "Virtual memory size in bytes.",
		  (double)s.virtual_bytes);
	put_gauge(out, "process_resident_memory_bytes", "Resident memory size in bytes.",
		  (double)s.resident_pages * (double)sysconf(_SC_PAGESIZE));
	put_gauge(out, "process_threads", "Number of OS threads in the process.",
		  (double)s.threads);
	put_gauge(out, "process_start_time_seconds",
		  "Start time of the process since unix epoch in seconds.",
		  (double)boot_seconds() + (double)s.start_ticks / (double)sysconf(_SC_CLK_TCK));
}
