// SPDX-License-Identifier: GPL-2.0-only
/* Reads and sets perf's limits in /proc/sys/kernel, and restores them at the end (sysctl.h). */
#include <stdio.h>

#include "out.h"
#include "sysctl.h"

#define RATE "perf_event_max_sample_rate"
#define PERCENT "perf_cpu_time_max_percent"

static unsigned int rate, percent;

static FILE *open_sysctl(const char *name, const char *mode)
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	return fopen(path, mode);
}

unsigned int sysctl_get(const char *name, unsigned int otherwise)
{
	FILE *f = open_sysctl(name, "re");
	unsigned int v = otherwise;

	if (!f)
		return otherwise;
	if (fscanf(f, "%u", &v) != 1)
		v = otherwise;
	fclose(f);
	return v;
}

static void set(const char *name, unsigned int v)
{
	FILE *f = open_sysctl(name, "we");

	if (!f || fprintf(f, "%u\n", v) < 0 || fclose(f))
		die("/proc/sys/kernel/%s cannot be set to %u", name, v);
}

void sysctl_unthrottle(unsigned int freq)
{
	rate = sysctl_get(RATE, 100000);
	percent = sysctl_get(PERCENT, 25);
	/* the rate cannot be set while the percentage is 0 */
	set(PERCENT, 25);
	if (rate < 4 * freq)
		set(RATE, 4 * freq);
	set(PERCENT, 0);
}

void sysctl_restore(void)
{
	set(PERCENT, 25);
	set(RATE, rate);
	set(PERCENT, percent);
}
