// SPDX-License-Identifier: GPL-2.0-only
/* Copies the mapped files and the vDSO into the record (images.h). */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "images.h"
#include "out.h"

uint64_t images_missing;

/* a file system from which no file is copied */
static bool leave_out;
static dev_t left_out;

static struct gt_identity *seen;
static size_t seen_count;

void images_leave_out(const char *dir)
{
	struct stat st;

	if (stat(dir, &st))
		die("%s: %s", dir, strerror(errno));
	leave_out = true;
	left_out = st.st_dev;
}

static bool is_new(const struct gt_identity *id)
{
	size_t i;

	for (i = 0; i < seen_count; i++)
		if (!memcmp(&seen[i], id, sizeof(*id)))
			return false;
	if (seen_count % 64 == 0) {
		seen = realloc(seen, (seen_count + 64) * sizeof(*seen));
		if (!seen)
			die("no memory");
	}
	seen[seen_count++] = *id;
	return true;
}

static void write_image(const struct gt_identity *id, uint32_t kind,
			const char *path, const void *data, size_t len)
{
	struct gt_image m = { .kind = kind, .len = len };
	struct out_part parts[2] = { { path, strlen(path) + 1 }, { data, len } };

	if (id)
		m.id = *id;
	m.path_len = (parts[0].len + 7) & ~7u;
	out_chunk(&m.h, sizeof(m), GT_IMAGE, GT_STREAM_START, parts, 2);
}

/* the file at PATH, if it is the mapped one */
static int open_same(const char *path, uint64_t ino, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -1;
	if (!fstat(fd, st) && S_ISREG(st->st_mode) && st->st_ino == ino && st->st_size)
		return fd;
	close(fd);
	return -1;
}

/* tries its path, its path in the process's own root, and the mapping itself */
static int open_image(const struct gt_map *map, const char *path, struct stat *st)
{
	char name[PATH_MAX + 64];
	int fd = open_same(path, map->id.ino, st);

	if (fd < 0) {
		snprintf(name, sizeof(name), "/proc/%u/root%s", map->pid, path);
		fd = open_same(name, map->id.ino, st);
	}
	if (fd < 0) {
		snprintf(name, sizeof(name), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64,
			 map->pid, map->start, map->start + map->len);
		fd = open_same(name, map->id.ino, st);
	}
	return fd;
}

void images_saw(const struct gt_map *map, const char *path)
{
	struct stat st;
	void *data;
	int fd;

	if (!(map->prot & PROT_EXEC) || path[0] != '/' || path[1] == '/' ||
	    !map->id.ino || !is_new(&map->id))
		return;
	fd = open_image(map, path, &st);
	if (fd < 0) {
		images_missing++;
		return;
	}
	if (leave_out && st.st_dev == left_out) {
		close(fd);
		return;
	}
	data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED) {
		images_missing++;
		return;
	}
	write_image(&map->id, GT_IMAGE_FILE, path, data, st.st_size);
	munmap(data, st.st_size);
}

/* all processes of a kernel share the image of the vDSO, so ours is copied */
void images_vdso(void)
{
	uint64_t start, end;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");

	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "[vdso]") &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2)
			write_image(NULL, GT_IMAGE_VDSO, "[vdso]",
				    (const void *)(uintptr_t)start, end - start);
	fclose(f);
}
