// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses a dump (dump.h). Unknown lines are skipped, because perf prints remarks of many kinds.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "maps.h"

/* kernel addresses have the sign bit set; user addresses never have */
#define KERNEL (1ULL << 63)

/* finds " PID/TID ", because a comm may contain blanks and slashes */
static bool read_ids(const char *line, int *pid, int *tid)
{
	const char *p = line;
	int length;

	while ((p = strchr(p, ' '))) {
		while (*p == ' ')
			p++;
		if (sscanf(p, "%d/%d%n", pid, tid, &length) == 2 &&
		    isspace((unsigned char)p[length]))
			return true;
	}
	return false;
}

static void read_mmap(const char *text)
{
	struct map map = { 0 };
	char *protection, *path;
	int pid, tid;

	/* PID/TID: [0xSTART(0xLENGTH) @ OFFSET ...]: rwxp PATH */
	if (sscanf(text, "%d/%d: [0x%" SCNx64 "(0x%" SCNx64 ") @ %" SCNi64, &pid,
		   &tid, &map.start, &map.length, (int64_t *)&map.offset) != 5)
		return;
	protection = strstr(text, "]: ");
	if (!protection)
		return;
	protection += 3;
	path = strchr(protection, ' ');
	if (!path || !memchr(protection, 'x', path - protection))
		return;
	map.path = intern(path + 1);
	maps_add(pid, &map);
}

static void read_fork(const char *text)
{
	int pid, tid, parent, parent_tid;

	if (sscanf(text, "(%d:%d):(%d:%d)", &pid, &tid, &parent,
		   &parent_tid) == 4)
		maps_fork(pid, parent);
}

/* true if the line is an event of the kind that perf prints in one line */
static bool read_event(const char *line)
{
	const char *event = strstr(line, "PERF_RECORD_"), *ids;
	int pid, tid;

	if (!event)
		return false;
	event += strlen("PERF_RECORD_");
	if (!strncmp(event, "MMAP2 ", 6))
		read_mmap(event + 6);
	else if (!strncmp(event, "MMAP ", 5))
		read_mmap(event + 5);
	else if (!strncmp(event, "FORK", 4))
		read_fork(event + 4);
	else if (!strncmp(event, "COMM exec: ", 11)) {
		ids = strrchr(event, ':');
		if (sscanf(ids, ":%d/%d", &pid, &tid) == 2)
			maps_exec(pid);
	}
	return true;
}

static bool read_entry(const char *line, struct entry *entry)
{
	const char *open, *close;
	char dso[512];
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	entry->ip = strtoull(line, &end, 16);
	if (end == line || (*end && !isspace((unsigned char)*end)))
		return false;
	entry->dso = "";
	open = strrchr(end, '(');
	close = strrchr(end, ')');
	if (open && close > open && (size_t)(close - open) < sizeof(dso)) {
		snprintf(dso, sizeof(dso), "%.*s", (int)(close - open - 1),
			 open + 1);
		if (!strcmp(dso, "inlined"))
			return false;
		entry->dso = intern(dso);
	}
	return !(entry->ip & KERNEL) && strncmp(entry->dso, "[kernel", 7);
}

void dump_read(FILE *f, void (*handle)(const struct sample *sample))
{
	static char line[4096], header[4096];
	struct sample sample = { .header = header };
	unsigned long number = 0;
	bool open = false;

	while (fgets(line, sizeof(line), f)) {
		number++;
		line[strcspn(line, "\n")] = 0;
		if (line[0] == '\t') {
			if (!open)
				continue;
			GROW(sample.entries, sample.count);
			if (read_entry(line, &sample.entries[sample.count]))
				sample.count++;
			else if (strstr(line, " bprm_execve ") || strstr(line, " load_elf_binary "))
				sample.in_exec = true;
			continue;
		}
		if (open)
			handle(&sample);
		open = false;
		if (!line[0] || read_event(line) ||
		    !read_ids(line, &sample.pid, &sample.tid))
			continue;
		memcpy(header, line, sizeof(header));
		sample.line = number;
		sample.count = 0;
		sample.in_exec = false;
		open = true;
	}
	if (open)
		handle(&sample);
	free(sample.entries);
}
