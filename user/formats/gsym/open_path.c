// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a GSYM file by its path, which may be "-". Part of the program, not of libgsym.
 */
#include <fcntl.h>
#include <unistd.h>

#include "formats/gsym/reader.h"
#include "util/file.h"

int gsym_open(const char *path, struct gsym **ret, struct diag *diag)
{
	int fd, err;

	/* a name may be that of a FIFO: without O_NONBLOCK open(2) would wait for a writer */
	fd = file_descriptor(path, O_NONBLOCK, diag);
	if (fd < 0)
		return fd;
	err = gsym_open_descriptor(fd, path, ret, diag);
	close(fd);
	return err;
}
