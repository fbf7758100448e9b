// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that are copied and not mapped (util/file.h). Standard input, when it
 * is a pipe, is copied once into a memfd, so that it can be opened again.
 */
#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/poison.h"

/* Memfd with all of standard input, a pipe; -1 until it is copied. */
static int copied = -1;

/* The bytes that file_stream() has read of standard input, a pipe, before it was copied. */
static uint8_t begun[FILE_START_BYTES];
static size_t nr_begun;

static int too_much(const char *path, struct diag *diag)
{
	return diag_set(diag, EFBIG, path, "gives more than %u MiB: use a file instead of a pipe",
			FILE_MAX_PIPE >> 20);
}

static int read_pipe(struct file *file, struct diag *diag)
{
	size_t room = 0;
	uint8_t *p;
	ssize_t n;

	for (;;) {
		if (file->size > FILE_MAX_PIPE)
			return too_much(file->path, diag);
		if (file->size == room) {
			room = room ? room * 2 : 65536;
			p = realloc(file->pipe, room);
			if (!p)
				return diag_errno(diag, ENOMEM, file->path);
			file->pipe = p;
		}
		n = read(file->fd, file->pipe + file->size, room - file->size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return diag_errno(diag, errno, file->path);
		if (n == 0)
			return 0;
		file->size += (size_t)n;
	}
}

/*
 * Writes @start, and then all that the pipe @from gives, to @to. Return: 0 or a
 * negative errno.
 */
static int copy_pipe(const char *path, const uint8_t *start, size_t nr_start, int from, int to,
		     struct diag *diag)
{
	uint8_t bytes[65536];
	uint64_t size = nr_start;
	int err = file_write_all(to, start, nr_start);
	ssize_t n;

	if (err)
		return diag_errno(diag, -err, path);
	do {
		n = read(from, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return diag_errno(diag, errno, path);
		size += (uint64_t)n;
		if (size > FILE_MAX_PIPE)
			return too_much(path, diag);
		err = file_write_all(to, bytes, (size_t)n);
	} while (n && !err);
	return err ? diag_errno(diag, -err, path) : 0;
}

/*
 * Return: a descriptor of standard input as a regular file. It is shared and
 * stays open: the caller duplicates it. A negative errno on failure.
 */
static int standard_input(const char *path, struct diag *diag)
{
	struct stat st;
	int fd, err;

	if (copied >= 0)
		return copied;
	if (fstat(STDIN_FILENO, &st))
		return diag_errno(diag, errno, path);
	if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return STDIN_FILENO;
	fd = memfd_create("standard input", MFD_CLOEXEC);
	if (fd < 0)
		return diag_errno(diag, errno, path);
	err = copy_pipe(path, begun, nr_begun, STDIN_FILENO, fd, diag);
	if (err) {
		close(fd);
		return err;
	}
	copied = fd;
	return fd;
}

int file_descriptor(const char *path, int flags, struct diag *diag)
{
	bool given = !strcmp(path, "-");
	int fd = given ? standard_input(path, diag) : open(path, O_RDONLY | O_CLOEXEC | flags);

	if (given && fd < 0)
		return fd;
	if (given)
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? diag_errno(diag, errno, path) : fd;
}

int file_open(struct file *file, const char *path, struct diag *diag)
{
	struct stat st;
	int err;

	*file = (struct file){ .path = path };
	file->fd = file_descriptor(path, 0, diag);
	if (file->fd < 0)
		return file->fd;
	if (fstat(file->fd, &st) < 0)
		err = diag_errno(diag, errno, path);
	else if (S_ISDIR(st.st_mode))
		err = diag_errno(diag, EISDIR, path);
	else if (S_ISREG(st.st_mode))
		err = 0;
	else
		err = read_pipe(file, diag);
	if (err) {
		file_release(file);
		return err;
	}
	if (!file->pipe)
		file->size = (uint64_t)st.st_size;
	return 0;
}

/* Return: number of bytes read, fewer than @len at the end of the file; a negative errno. */
static ssize_t read_start(int fd, bool regular, uint8_t *buf, size_t len)
{
	size_t done = 0;
	ssize_t n = 1;

	while (done < len && n) {
		n = regular ? pread(fd, buf + done, len - done, (off_t)done) :
			      read(fd, buf + done, len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/*
 * A pipe at standard input is read directly, starting with what an earlier call
 * has read of it.
 */
static int open_stream(struct file_stream *s, struct diag *diag)
{
	struct stat st;

	if (strcmp(s->path, "-") || copied >= 0 || fstat(STDIN_FILENO, &st) ||
	    S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) {
		s->fd = file_descriptor(s->path, 0, diag);
		return s->fd < 0 ? s->fd : 0;
	}
	s->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (s->fd < 0)
		return diag_errno(diag, errno, s->path);
	memcpy(s->start, begun, nr_begun);
	s->nr_start = nr_begun;
	return 0;
}

int file_stream(const char *path, struct file_stream *ret, struct diag *diag)
{
	struct file_stream *s = ret;
	struct stat st;
	ssize_t n;
	int err;

	*s = (struct file_stream){ .path = path, .fd = -1 };
	err = open_stream(s, diag);
	if (err)
		return err;
	if (fstat(s->fd, &st))
		return diag_errno(diag, errno, path);
	if (S_ISDIR(st.st_mode))
		return diag_errno(diag, EISDIR, path);
	s->regular = S_ISREG(st.st_mode);
	s->size = s->regular ? (uint64_t)st.st_size : 0;
	n = read_start(s->fd, s->regular, s->start + s->nr_start, FILE_START_BYTES - s->nr_start);
	if (n < 0)
		return diag_errno(diag, (int)-n, path);
	s->nr_start += (size_t)n;
	if (!s->regular && !strcmp(path, "-")) {
		memcpy(begun, s->start, s->nr_start);
		nr_begun = s->nr_start;
	}
	return 0;
}

int file_stream_copy(struct file_stream *s, struct diag *diag)
{
	int fd, err;
	bool given;
	off_t size;

	if (s->regular)
		return 0;
	/* standard input may be opened again: file_descriptor() copies it once for all */
	given = !strcmp(s->path, "-");
	fd = given ? file_descriptor(s->path, 0, diag) : memfd_create("a pipe", MFD_CLOEXEC);
	if (fd < 0)
		return given ? fd : diag_errno(diag, errno, s->path);
	err = given ? 0 : copy_pipe(s->path, s->start, s->nr_start, s->fd, fd, diag);
	size = err ? 0 : lseek(fd, 0, SEEK_END);
	close(s->fd);
	s->fd = fd;
	s->regular = !err;
	s->size = (uint64_t)size;
	return err;
}

void file_stream_release(struct file_stream *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

void file_release(struct file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->pipe);
	*file = (struct file)FILE_INIT;
}

int file_read(const struct file *file, uint64_t off, void *buf, size_t len,
	      struct diag *diag)
{
	size_t done = 0;
	ssize_t n;

	if (off > file->size || len > file->size - off)
		return diag_set(diag, ENODATA, file->path,
				"the file ends before the data that is to be read");
	if (file->pipe) {
		memcpy(buf, file->pipe + off, len);
		return 0;
	}
	while (done < len) {
		n = pread(file->fd, (uint8_t *)buf + done, len - done,
			  (off_t)(off + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return diag_errno(diag, errno, file->path);
		if (n == 0)
			return diag_set(diag, ENODATA, file->path,
					"the file became shorter while it was read");
		done += (size_t)n;
	}
	return 0;
}

int file_read_new(const struct file *file, uint64_t off, size_t len,
		  uint8_t **ret, struct diag *diag)
{
	uint8_t *p;
	int err;

	if (off > file->size || len > file->size - off)
		return diag_set(diag, ENODATA, file->path,
				"the file ends before the data that is to be read");
	p = malloc(len ? len : 1);
	if (!p)
		return diag_errno(diag, ENOMEM, file->path);
	err = file_read(file, off, p, len, diag);
	if (err) {
		free(p);
		return err;
	}
	*ret = p;
	return 0;
}

void file_raise_limit(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur >= l.rlim_max)
		return;
	l.rlim_cur = l.rlim_max;
	setrlimit(RLIMIT_NOFILE, &l);
}

int file_write_all(int fd, const void *buf, size_t len)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		n = write(fd, (const uint8_t *)buf + done, len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		done += (size_t)n;
	}
	return 0;
}

/* Writes to a temporary file beside @path and renames it to @path when it is complete. */
static int write_temporary(const char *path, char *temporary,
			   int (*write_to)(int fd, void *arg, struct diag *diag), void *arg,
			   struct diag *diag)
{
	mode_t mask = umask(0);
	int fd, err;

	umask(mask);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return diag_errno(diag, errno, path);
	err = write_to(fd, arg, diag);
	if (!err && fchmod(fd, 0666 & ~mask))
		err = diag_errno(diag, errno, path);
	if (close(fd) && !err)
		err = diag_errno(diag, errno, path);
	if (!err && rename(temporary, path))
		err = diag_errno(diag, errno, path);
	if (err)
		unlink(temporary);
	return err;
}

static int write_in_place(const char *path,
			  int (*write_to)(int fd, void *arg, struct diag *diag), void *arg,
			  struct diag *diag)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err;

	if (fd < 0)
		return diag_errno(diag, errno, path);
	err = write_to(fd, arg, diag);
	if (close(fd) && !err)
		err = diag_errno(diag, errno, path);
	return err;
}

int file_can_replace(const char *path, struct diag *diag)
{
	const char *slash = strrchr(path, '/');
	char *dir;
	struct stat st;
	int err = 0;

	if (!strcmp(path, "-"))
		return 0;
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		if (S_ISDIR(st.st_mode))
			return diag_errno(diag, EISDIR, path);
		return access(path, W_OK) ? diag_errno(diag, errno, path) : 0;
	}
	/* file_replace() makes a temporary file in the same directory */
	dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	if (!dir)
		return diag_errno(diag, ENOMEM, path);
	if (access(dir, W_OK | X_OK))
		err = diag_errno(diag, errno, path);
	free(dir);
	return err;
}

int file_replace(const char *path, int (*write_to)(int fd, void *arg, struct diag *diag),
		 void *arg, struct diag *diag)
{
	char *temporary;
	struct stat st;
	int err;

	if (!strcmp(path, "-"))
		return write_to(STDOUT_FILENO, arg, diag);
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return write_in_place(path, write_to, arg, diag);
	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return diag_errno(diag, ENOMEM, path);
	err = write_temporary(path, temporary, write_to, arg, diag);
	free(temporary);
	return err;
}
