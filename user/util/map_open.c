// SPDX-License-Identifier: GPL-2.0-only
/* Maps a file by its name, which may be "-". */
#include <fcntl.h>
#include <unistd.h>

#include "util/file.h"
#include "util/map.h"

#include "util/poison.h"

int map_open(struct map *map, const char *path, struct diag *diag)
{
	int fd, err;

	/* what a file refers to may be a FIFO, which would have it wait */
	fd = file_descriptor(path, O_NONBLOCK, diag);
	if (fd < 0)
		return fd;
	err = map_descriptor(map, fd, path, diag);
	close(fd);
	return err;
}
