// SPDX-License-Identifier: GPL-2.0-only
/* Makes the image map of a running process, from /proc/PID/maps and /proc/PID/mem. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/snapshot/capture.h"
#include "host/snapshot/mapped.h"
#include "host/process/scan.h"
#include "util/cleanup.h"

#include "util/poison.h"

static bool read_memory(void *arg, uint64_t addr, void *buf, size_t len)
{
	const int *fd = arg;

	return addr <= INT64_MAX && pread(*fd, buf, len, (off_t)addr) == (ssize_t)len;
}

/* Adds the mappings of files and of the vDSO. */
static int read_maps(struct scan_maps *maps, struct imagemap_memory *memory)
{
	struct scan_line l;
	int err = 0;

	while (!err && scan_maps_next(maps, &l))
		if (l.id.path[0] && (l.id.path[0] != '[' || !strcmp(l.id.path, "[vdso]")))
			err = imagemap_memory_add(memory, &(struct imagemap_mapped){
				.start = l.start, .end = l.end, .offset = l.offset, .exec = l.exec,
				.file = l.id.dev << 32 ^ l.id.ino, .path = strdup(l.id.path),
			});
	return err ? err : maps->err;
}

static int capture(struct scan_maps *maps, int *mem, struct imagemap *ret, const char *path,
		   struct diag *diag)
{
	struct imagemap_memory memory = { .read = read_memory, .arg = mem };
	int err = read_maps(maps, &memory);

	if (!err && !memory.nr)
		err = -ENODATA;
	if (!err)
		err = imagemap_from_memory(&memory, ret);
	imagemap_memory_release(&memory);
	if (err == -ENODATA)
		return diag_set(diag, ENODATA, path, "the process has no memory");
	return err ? diag_errno(diag, -err, path) : 0;
}

int imagemap_from_process(uint32_t pid, struct imagemap *ret, struct diag *diag)
{
	_cleanup_(scan_maps_close) struct scan_maps maps = SCAN_MAPS_INIT;
	char path[64];
	int mem, err;

	if (diag)
		diag->offset = DIAG_NO_OFFSET;
	if (!scan_maps_open(&maps, pid))
		return diag_set(diag, errno, NULL, "/proc/%" PRIu32 "/maps: %s", pid,
				strerror(errno));
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/mem", pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	err = mem < 0 ? diag_set(diag, errno, NULL, "%s: %s", path, strerror(errno)) :
			capture(&maps, &mem, ret, NULL, diag);
	if (mem >= 0)
		close(mem);
	snprintf(ret->platform, sizeof(ret->platform), IMAGEMAP_LINUX);
	return err;
}
