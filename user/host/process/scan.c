// SPDX-License-Identifier: GPL-2.0-only
/* Reads mappings of processes from /proc/PID/maps, see scan.h. */
#include "host/process/scan.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "util/cleanup.h"
#include "util/poison.h"

/* The kernel escapes only newlines in paths, as \012 (seq_file_path()). */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (!strncmp(s, "\\012", 4)) {
			*to++ = '\n';
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

void scan_mapped_path(uint32_t pid, uint64_t start, uint64_t end, char ret[SCAN_MAPPED_PATH])
{
	snprintf(ret, SCAN_MAPPED_PATH, "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64, pid,
		 start, end);
}

bool scan_line(char *line, struct scan_line *ret)
{
	unsigned int major, minor;
	char perms[5];
	int path = 0;

	*ret = (struct scan_line){ 0 };
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &ret->start, &ret->end, perms, &ret->offset, &major, &minor,
		   &ret->id.ino, &path) != 7 || !path || ret->start >= ret->end)
		return false;
	ret->exec = strlen(perms) == 4 && perms[2] == 'x';
	ret->id.dev = makedev(major, minor);
	unescape(line + path);
	ret->id.path = line + path;
	return true;
}

static FILE *open_of(uint32_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/%s", pid, name);
	return fopen(path, "re");
}

static void read_name(uint32_t pid, char *buf, int len)
{
	_cleanup_(cleanup_file) FILE *f = open_of(pid, "comm");

	if (!f || !fgets(buf, len, f))
		buf[0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
}

bool scan_maps_open(struct scan_maps *m, uint32_t pid)
{
	m->file = open_of(pid, "maps");
	return m->file;
}

void scan_maps_close(struct scan_maps *m)
{
	cleanup_file(&m->file);
	free(m->line);
	*m = (struct scan_maps)SCAN_MAPS_INIT;
}

bool scan_maps_next(struct scan_maps *m, struct scan_line *ret)
{
	errno = 0;
	while (getline(&m->line, &m->room, m->file) >= 0) {
		m->any = true;
		if (scan_line(m->line, ret))
			return true;
	}
	m->err = ferror(m->file) ? -errno : 0;
	return false;
}

int scan_process(struct processes *all, uint32_t pid, uint64_t time)
{
	_cleanup_(scan_maps_close) struct scan_maps maps = SCAN_MAPS_INIT;
	struct scan_line l;
	char name[32];
	int err;

	if (!scan_maps_open(&maps, pid) || !scan_maps_next(&maps, &l))
		return 0;
	read_name(pid, name, sizeof(name));
	err = processes_scan(all, pid, time, name);
	do {
		if (!err && l.exec)
			err = processes_map(all, pid, time, l.start, l.end - l.start, l.offset, &l.id);
	} while (!err && scan_maps_next(&maps, &l));
	return err;
}

int scan_processes(struct processes *all, uint64_t time)
{
	_cleanup_(cleanup_dir) DIR *dir = opendir("/proc");
	struct dirent *e;
	int err = 0;

	if (!dir)
		return -errno;
	while (!err && (e = readdir(dir)))
		if (isdigit((unsigned char)e->d_name[0]))
			err = scan_process(all, (uint32_t)strtoul(e->d_name, NULL, 10),
					   time);
	return err;
}
