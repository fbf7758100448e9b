// SPDX-License-Identifier: GPL-2.0-only
/* Reads /proc/PID/maps of all processes when a recording starts (scan.h). */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "images.h"
#include "out.h"
#include "scan.h"

/* "start-end rwxp pgoff maj:min ino    path"; /proc has no inode generation */
static void scan_line(uint32_t pid, char *line)
{
	struct gt_map m = { .pid = pid, .tid = pid };
	struct out_part part;
	uint64_t end;
	char prot[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &m.start, &end, prot, &m.pgoff, &m.id.maj, &m.id.min,
		   &m.id.ino, &at) < 7 || prot[2] != 'x')
		return;
	m.len = end - m.start;
	m.prot = PROT_EXEC;
	line[strcspn(line, "\n")] = '\0';
	part.data = at ? line + at : "";
	part.len = strlen(part.data) + 1;
	out_chunk(&m.h, sizeof(m), GT_MAP, GT_STREAM_START, &part, 1);
	images_saw(&m, part.data);
}

static void scan_process(uint32_t pid)
{
	char path[64], line[4400];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		scan_line(pid, line);
	fclose(f);
}

void scan_processes(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;

	if (!dir)
		die("/proc is not mounted");
	while ((e = readdir(dir))) {
		uint32_t pid = strtoul(e->d_name, NULL, 10);

		if (pid)
			scan_process(pid);
	}
	closedir(dir);
}
