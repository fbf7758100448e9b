// SPDX-License-Identifier: GPL-2.0-only
#include "util/map.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"

#include "util/poison.h"

int map_open(struct map *map, const char *path, struct diag *diag)
{
	struct stat st;
	int fd, err = 0;
	void *p;

	/* what a file refers to may be a FIFO, which would have it wait */
	fd = file_descriptor(path, O_NONBLOCK, diag);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st)) {
		err = diag_errno(diag, errno, path);
	} else if (!S_ISREG(st.st_mode)) {
		err = diag_set(diag, EINVAL, path, "not a regular file");
	} else if (!st.st_size) {
		err = diag_set(diag, EBADMSG, path, "an empty file");
	} else {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p == MAP_FAILED)
			err = diag_errno(diag, errno, path);
		else
			*map = (struct map){ p, (size_t)st.st_size };
	}
	close(fd);
	return err;
}

void map_release(struct map *map)
{
	if (map->bytes)
		munmap((void *)map->bytes, map->len);
	*map = (struct map){ 0 };
}

void map_drop(const struct map *map)
{
	if (map->bytes)
		madvise((void *)map->bytes, map->len, MADV_DONTNEED);
}
