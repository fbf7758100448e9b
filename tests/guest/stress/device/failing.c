// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes allocations of the module fail: the kernel's fault injection (failslab) refuses one in
 * twenty allocations that module code requests. Only a debug kernel has it.
 *
 * Allocations inside the kernel's cache of executable memory (mm/execmem.c) never fail. ftrace
 * uses it when the module hooks and unhooks functions, and Linux 7.3 ignores some failures
 * there: it frees a block of 2 MiB that still contains the module's text.
 */
#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress.h"

/* Where the kernel puts modules on x86-64; the debug kernel loads no other module. */
#define MODULES_START "0xffffffffa0000000"
#define MODULES_END "0xfffffffffeffffff"

#define PERCENT "5"
/*
 * Loads in which one allocation fails. It is one of the first hundreds, which the kernel chooses at
 * random: each one with this probability, in percent.
 */
#define LOADS 100u
#define ONE_PERCENT "1"
#define FAILURES_MOST 1000000000	/* the kernel counts down from here */
#define FAILURES_LEAST 100

static void failslab_path(char *path, size_t size, const char *name)
{
	snprintf(path, size, "/sys/kernel/debug/failslab/%s", name);
}

static void failslab(const char *name, const char *value)
{
	char path[128];

	failslab_path(path, sizeof(path), name);
	file_write(path, value);
}

/*
 * Finds the range from execmem_alloc() to the end of execmem_free(), the two ways into
 * mm/execmem.c. Return: false if these functions do not exist, as before Linux 6.10.
 */
static bool execmem_find(unsigned long *start, unsigned long *end)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long addr, last = 0;
	char line[256], name[128];

	if (!f)
		die_errno("/proc/kallsyms");
	*start = *end = ~0ul;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx %*c %127s", &addr, name) != 2 ||
		    (strcmp(name, "execmem_alloc") && strcmp(name, "execmem_free")))
			continue;
		*start = addr < *start ? addr : *start;
		last = addr > last ? addr : last;
	}
	/* the function that follows ends the range */
	rewind(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx", &addr) == 1 && addr > last && addr < *end)
			*end = addr;
	fclose(f);
	return last;
}

static void execmem_spare(void)
{
	unsigned long start, end;
	char text[32];

	if (!execmem_find(&start, &end))
		return;
	snprintf(text, sizeof(text), "%#lx", start);
	failslab("reject-start", text);
	snprintf(text, sizeof(text), "%#lx", end);
	failslab("reject-end", text);
}

/* Selects the allocations that module code requests. */
static void failing_select(void)
{
	failslab("stacktrace-depth", "16");
	failslab("require-start", MODULES_START);
	failslab("require-end", MODULES_END);
	execmem_spare();
	failslab("ignore-gfp-wait", "N");
	failslab("task-filter", "N");
	failslab("verbose", "0");
	failslab("interval", "1");
}

/*
 * Loads the module again and again while one allocation of each load fails. A load that
 * fails must leave nothing, and one that works must not stop the kernel: ftrace reported success
 * without memory for the function to hook, and called the hooks of the module for all functions.
 */
void failing_loads(void)
{
	unsigned long failed = 0, other = 0;
	unsigned int i;
	int err;

	failing_select();
	for (i = 1; i <= LOADS; i++) {
		if (module_loaded() && module_unload())
			die_errno("the module cannot be unloaded");
		failslab("times", "1");
		failslab("probability", ONE_PERCENT);
		err = module_load(MODULE_PARAMS);
		failslab("probability", "0");
		failed += err == -ENOMEM;
		other += err && err != -ENOMEM;
		if (i % 20 == 0) {
			say("%u loads with a failed allocation", i);
			fflush(stdout);
		}
	}
	err = module_loaded() ? 0 : module_load(MODULE_PARAMS);
	check(failed >= LOADS / 10 && !other && !err,
	      "%lu of %u loads failed for lack of memory, %lu for another reason", failed, LOADS, other);
}

void failing_start(void)
{
	char most[32];

	snprintf(most, sizeof(most), "%d", FAILURES_MOST);
	failing_select();
	failslab("times", most);
	shared->failing = true;
	failing_resume();
}

void failing_pause(void)
{
	if (shared->failing)
		failslab("probability", "0");
}

void failing_resume(void)
{
	if (shared->failing)
		failslab("probability", PERCENT);
}

void failing_stop(void)
{
	failing_pause();
	shared->failing = false;
}

void failing_judge(void)
{
	char path[128], text[32] = "";
	long failures;
	FILE *f;

	failslab_path(path, sizeof(path), "times");
	f = fopen(path, "r");
	if (!f || !fgets(text, sizeof(text), f))
		die_errno(path);
	fclose(f);
	failures = FAILURES_MOST - strtol(text, NULL, 10);
	check(failures >= FAILURES_LEAST && shared->loads_failed,
	      "%ld allocations failed, %lu loads of the module among them", failures,
	      shared->loads_failed);
}
