// SPDX-License-Identifier: GPL-2.0-only
/*
 * map_open(): maps a file by its name, which may be "-". Apart from map.c, so
 * that a program that only maps open descriptors does not need util/file.c.
 */
#include <fcntl.h>
#include <unistd.h>

#include "util/file.h"
#include "util/map.h"

#include "util/poison.h"

int map_open(struct map *map, const char *path, struct diag *diag)
{
	int fd, err;

	/* a name may be that of a FIFO: without O_NONBLOCK open(2) would wait for a writer */
	fd = file_descriptor(path, O_NONBLOCK, diag);
	if (fd < 0)
		return fd;
	err = map_descriptor(map, fd, path, diag);
	close(fd);
	return err;
}
