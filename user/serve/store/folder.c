// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of segment files, and the file "last", which holds the newest number that was given to
 * a segment. The writer and all readers use it.
 */
#include "serve/store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/array.h"
#include "util/file.h"

#include "util/poison.h"

#define DIGITS 16

/* Parses "0000000000000001.seg" or the same with ".seg.bad". Other names are no segments. */
static bool parse_name(const char *s, struct store_name *ret)
{
	char again[STORE_NAME_BYTES];

	if (strspn(s, "0123456789abcdef") != DIGITS)
		return false;
	ret->number = strtoull(s, NULL, 16);
	ret->bad = !strcmp(s + DIGITS, ".seg.bad");
	return ret->number && !strcmp(store_folder_name(ret, again), s);
}

const char *store_folder_name(const struct store_name *n, char buf[STORE_NAME_BYTES])
{
	snprintf(buf, STORE_NAME_BYTES, "%016" PRIx64 ".seg%s", n->number, n->bad ? ".bad" : "");
	return buf;
}

static int by_number(const void *x, const void *y)
{
	const struct store_name *a = x, *b = y;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (int)a->bad - (int)b->bad;
}

static int read_names(DIR *d, struct store_name **ret, size_t *nr)
{
	struct store_name *names = NULL, name;
	const struct dirent *e;
	size_t room = 0;

	*nr = 0;
	while (errno = 0, (e = readdir(d))) {
		if (!parse_name(e->d_name, &name))
			continue;
		if (!array_has_room(names, *nr, room)) {
			errno = ENOMEM;
			break;
		}
		names[(*nr)++] = name;
	}
	if (errno) {
		int err = -errno;

		free(names);
		return err;
	}
	if (*nr)
		qsort(names, *nr, sizeof(*names), by_number);
	*ret = names;
	return 0;
}

int store_folder_list(int dirfd, const char *dir, struct store_name **ret, size_t *nr,
		      struct diag *diag)
{
	/* no dup() of @dirfd: duplicates share their position with all other readers of it */
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return diag_errno(diag, -err, dir);
	}
	err = read_names(d, ret, nr);
	closedir(d);
	return err ? diag_errno(diag, -err, dir) : 0;
}

/* Return: the number in "last", 0 if there is none. */
static uint64_t read_last(int dirfd)
{
	char text[32] = "", *end;
	int fd = openat(dirfd, "last", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	unsigned long long v;
	ssize_t n;

	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0 || text[0] < '0' || text[0] > '9')
		return 0;
	errno = 0;
	v = strtoull(text, &end, 10);
	return errno || strcmp(end, "\n") ? 0 : v;
}

static int write_last(int dirfd, uint64_t number)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%" PRIu64 "\n", number), err;
	int fd;

	/* a crash may have left one, or somebody may have put a link there */
	unlinkat(dirfd, "last.new", 0);
	fd = openat(dirfd, "last.new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	err = file_write_all(fd, text, (size_t)len);
	if (!err && fsync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && renameat(dirfd, "last.new", dirfd, "last"))
		err = -errno;
	if (err)
		unlinkat(dirfd, "last.new", 0);
	else if (fsync(dirfd))
		err = -errno;
	return err;
}

int store_folder_number(int dirfd, const char *dir, uint64_t newest, uint64_t now_ns,
			uint64_t *ret, struct diag *diag)
{
	uint64_t last = read_last(dirfd), number;
	int err;

	if (last < newest)
		last = newest;
	number = last ? last + 1 : now_ns / 1000000000;
	/* the number has wrapped to 0; no real store gets this far */
	if (last && !number)
		return diag_set(diag, EOVERFLOW, dir, "no segment number is left");
	number = number ? number : 1;
	err = write_last(dirfd, number);
	if (err)
		return diag_errno(diag, -err, dir);
	*ret = number;
	return 0;
}
