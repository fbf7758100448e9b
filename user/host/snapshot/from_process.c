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

/* Adds a mapping of a file or of the vDSO; others are skipped. */
static int add_line(struct imagemap_memory *memory, char *text)
{
	struct scan_line l;

	if (!scan_line(text, &l) || !l.id.path[0] ||
	    (l.id.path[0] == '[' && strcmp(l.id.path, "[vdso]")))
		return 0;
	return imagemap_memory_add(memory, &(struct imagemap_mapped){
		.start = l.start, .end = l.end, .offset = l.offset, .exec = l.exec,
		.file = l.id.dev << 32 ^ l.id.ino, .path = strdup(l.id.path),
	});
}

static int read_maps(FILE *f, struct imagemap_memory *memory)
{
	_cleanup_(cleanup_free) char *line = NULL;
	size_t room = 0;
	int err = 0;

	errno = 0;
	while (!err && getline(&line, &room, f) >= 0)
		err = add_line(memory, line);
	return err ? err : ferror(f) ? -errno : 0;
}

static int capture(FILE *maps, int *mem, struct imagemap *ret, const char *path,
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
	char path[64];
	FILE *maps;
	int mem, err;

	if (diag)
		diag->offset = DIAG_NO_OFFSET;
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return diag_set(diag, errno, NULL, "%s: %s", path, strerror(errno));
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/mem", pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	err = mem < 0 ? diag_set(diag, errno, NULL, "%s: %s", path, strerror(errno)) :
			capture(maps, &mem, ret, NULL, diag);
	fclose(maps);
	if (mem >= 0)
		close(mem);
	snprintf(ret->platform, sizeof(ret->platform), IMAGEMAP_LINUX);
	return err;
}
