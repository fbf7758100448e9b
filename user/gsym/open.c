// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gsym/layout.h"

static int open_source(struct gsym_source *src, struct gsym **ret)
{
	struct gsym *g;
	int err;

	src->at = (struct gsym_place){ 0, src->file_len };
	err = gsym_section_find(src->file, src->file_len, src->name, &src->at, src->diag);
	if (err < 0)
		return err;
	g = calloc(1, sizeof(*g));
	if (!g)
		return diag_errno(src->diag, ENOMEM, src->name);
	err = gsym_layout_read(g, src);
	if (err)
		free(g);
	else
		*ret = g;
	return err;
}

int gsym_open_bytes(const void *bytes, size_t len, const char *name, struct gsym **ret,
		    struct diag *diag)
{
	struct gsym_source src = {
		.file = bytes, .file_len = len, .name = name, .diag = diag,
	};

	return open_source(&src, ret);
}

/* Return: the descriptor, of a file that can be mapped. */
static int open_file(const char *path, size_t *len, struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int err;

	if (fd < 0)
		return diag_errno(diag, errno, path);
	if (fstat(fd, &st))
		err = diag_errno(diag, errno, path);
	else if (!S_ISREG(st.st_mode))
		err = diag_set(diag, EINVAL, path, "not a regular file");
	else if (!st.st_size)
		err = diag_set(diag, EBADMSG, path, "an empty file");
	else {
		*len = (size_t)st.st_size;
		return fd;
	}
	close(fd);
	return err;
}

int gsym_open(const char *path, struct gsym **ret, struct diag *diag)
{
	size_t len = 0;
	void *map;
	int fd, err;

	fd = open_file(path, &len, diag);
	if (fd < 0)
		return fd;
	map = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	err = errno;
	close(fd);
	if (map == MAP_FAILED)
		return diag_errno(diag, err, path);
	err = gsym_open_bytes(map, len, path, ret, diag);
	if (err) {
		munmap(map, len);
		return err;
	}
	(*ret)->map = map;
	(*ret)->map_len = len;
	return 0;
}

void gsym_close(struct gsym *g)
{
	if (!g)
		return;
	if (g->map)
		munmap(g->map, g->map_len);
	free(g);
}

void gsym_identify(const struct gsym *g, struct gsym_info *ret)
{
	*ret = g->info;
}
