// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose function probed() returns through a uretprobe that the
 * program attached itself. It calls itself through probed() once, so that two
 * returns are pending, and works at the bottom. It has no frame pointers, so
 * callers are found by tables only.
 *
 * usage: returns SECONDS [none]
 *	none: no probe
 */
#define _GNU_SOURCE
#include <link.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static unsigned long end_ns;

static unsigned long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ul + t.tv_nsec;
}

__attribute__((noinline)) void bottom(void)
{
	do {
		for (int i = 0; i < 100000; i++)
			sink += i;
	} while (cpu_ns() < end_ns);
	sink++;		/* no tail call */
}

__attribute__((noinline)) void probed(int again);

__attribute__((noinline)) void between(int again)
{
	char some[200];

	memset(some, again, sizeof(some));
	probed(again - 1);
	sink += some[sink % sizeof(some)];
}

void probed(int again)
{
	if (again)
		between(again);
	else
		bottom();
	sink++;
}

__attribute__((noinline)) void outermost(void)
{
	probed(1);
	sink++;
}

/* Finds the file offset of @data, an address of this program. */
static int find(struct dl_phdr_info *info, size_t size, void *data)
{
	uint64_t *at = data, vaddr = *at - info->dlpi_addr;
	int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && vaddr - p->p_vaddr < p->p_filesz) {
			*at = vaddr - p->p_vaddr + p->p_offset;
			return 1;
		}
	}
	return -1;
}

static unsigned int number_in(const char *path, const char *before)
{
	FILE *f = fopen(path, "r");
	char line[64] = "";

	if (!f || !fgets(line, sizeof(line), f) || strncmp(line, before, strlen(before)))
		exit(3);
	fclose(f);
	return (unsigned int)atoi(line + strlen(before));
}

static void probe_returns(void)
{
	static char path[4096];
	uint64_t at = (uint64_t)probed;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = number_in("/sys/bus/event_source/devices/uprobe/type", ""),
		.config = 1u << number_in("/sys/bus/event_source/devices/uprobe/format/retprobe",
					  "config:"),
		.uprobe_path = (uint64_t)path,
	};

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0 ||
	    dl_iterate_phdr(find, &at) != 1)
		exit(3);
	attr.probe_offset = at;
	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0) {
		perror("returns: a uretprobe");
		exit(3);
	}
}

int main(int argc, char **argv)
{
	end_ns = (unsigned long)(atof(argv[1]) * 1e9);
	if (argc < 3)
		probe_returns();
	outermost();
	return 0;
}
