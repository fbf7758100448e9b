// SPDX-License-Identifier: GPL-2.0-only
/* Opens a GSYM file by its path, which may be "-": for the program, not for libgsym. */
#include <fcntl.h>
#include <unistd.h>

#include "formats/gsym/reader.h"
#include "util/file.h"

int gsym_open(const char *path, struct gsym **ret, struct diag *diag)
{
	int fd, err;

	/* what a file refers to may be a FIFO, which would have it wait */
	fd = file_descriptor(path, O_NONBLOCK, diag);
	if (fd < 0)
		return fd;
	err = gsym_open_descriptor(fd, path, ret, diag);
	close(fd);
	return err;
}
