// SPDX-License-Identifier: MIT
/*
 * Files mapped for reading (util/map.h).
 */
#include "util/map.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "util/poison.h"

int map_descriptor(struct map *map, int fd, const char *path, struct diag *diag)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st))
		return diag_errno(diag, errno, path);
	if (!S_ISREG(st.st_mode))
		return diag_set(diag, EINVAL, path, "not a regular file");
	if (!st.st_size)
		return diag_set(diag, EBADMSG, path, "an empty file");
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return diag_errno(diag, errno, path);
	*map = (struct map){ p, (size_t)st.st_size };
	return 0;
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
