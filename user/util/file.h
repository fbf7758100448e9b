/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file opened for reading at offsets. Bytes are copied, never mapped: a
 * mapped file that somebody truncates kills its reader with SIGBUS. Pipes are
 * read to their end when opened, so that they can be read at offsets too. "-" is standard input,
 * which can be opened again, whether it is a pipe or not.
 */
#ifndef USTACK_USER_FILE_H
#define USTACK_USER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* A pipe that gives more bytes is refused: no section may be larger. */
#define FILE_MAX_PIPE (256u << 20)

/**
 * struct file - an open file
 * @path: borrowed
 * @fd: -1 when closed
 * @size: bytes
 * @pipe: contents of a pipe, NULL for a regular file
 */
struct file {
	const char *path;
	int fd;
	uint64_t size;
	uint8_t *pipe;
};

#define FILE_INIT { .fd = -1 }

/**
 * file_descriptor() - open for reading, for who needs a descriptor
 * @path: "-" is standard input. What comes of it through a pipe is copied into memory once, up to
 *        FILE_MAX_PIPE, and each descriptor of it is that of a regular file, which can be mapped
 *        and has the position of the others
 * @flags: of open(2), beside O_RDONLY and O_CLOEXEC
 * @diag: may be NULL
 *
 * Context: one thread at a time.
 *
 * Return: the caller's; a negative errno; -EFBIG for a pipe that gives too much.
 */
int file_descriptor(const char *path, int flags, struct diag *diag);

/**
 * file_open() - open for reading
 * @file: holds FILE_INIT; released by file_release()
 * @path: as file_descriptor() has it; must outlive @file
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; EISDIR for a directory.
 */
int file_open(struct file *file, const char *path, struct diag *diag);
void file_release(struct file *file);

/* Bytes of a file that tell what it is. */
#define FILE_START_BYTES 4096u

/**
 * struct file_stream - a file that is read once, from its start on
 * @path: borrowed
 * @fd: -1 when closed; of a pipe what comes behind @start
 * @regular: it can be read at offsets, as pread(2) does, and has @size bytes
 * @size: of a regular file
 * @start: first @nr_start bytes; all there are if these are fewer than FILE_START_BYTES
 * @nr_start: of @start
 */
struct file_stream {
	const char *path;
	int fd;
	bool regular;
	uint64_t size;
	uint8_t start[FILE_START_BYTES];
	size_t nr_start;
};

/**
 * file_stream() - open for reading from the start, and look at the first bytes
 * @path: as file_descriptor() has it, which gives the same bytes again of standard input, but
 *        not if more than @ret->start is read of @ret->fd; must outlive @ret
 * @ret: released by file_stream_release(), also on failure
 * @diag: may be NULL
 *
 * A pipe is not copied: for what need not be in memory as a whole.
 *
 * Return: 0 or a negative errno; EISDIR for a directory.
 */
int file_stream(const char *path, struct file_stream *ret, struct diag *diag);

/* Makes a regular file of a pipe of which only @s->start was read. Return: 0; -EFBIG above
 * FILE_MAX_PIPE; another negative errno.
 */
int file_stream_copy(struct file_stream *s, struct diag *diag);
void file_stream_release(struct file_stream *s);

/**
 * file_read() - read a range, whole
 * @file: open
 * @off: first byte
 * @buf: @len bytes
 * @len: any
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; ENODATA when the file ends before the range.
 */
int file_read(const struct file *file, uint64_t off, void *buf, size_t len,
	      struct diag *diag);

/**
 * file_read_new() - read a range into new memory
 * @file: open
 * @off: first byte
 * @len: any
 * @ret: freed by the caller; of exactly @len bytes, so that sanitizers see a
 *       reader that goes further
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int file_read_new(const struct file *file, uint64_t off, size_t len,
		  uint8_t **ret, struct diag *diag);

/* As many open files as this process may have: perf takes one for each event and CPU, the
 * store of symbols one for each file that it meets.
 */
void file_raise_limit(void);

/**
 * file_write_all() - write the whole of a buffer
 * @fd: open for writing; at its position
 * @buf: @len bytes
 * @len: any
 *
 * Return: 0 or a negative errno; EIO when nothing is taken any more.
 */
int file_write_all(int fd, const void *buf, size_t len);

/**
 * file_can_replace() - would file_replace() have a place for it?
 * @path: as there
 * @diag: may be NULL
 *
 * For work that takes long: what can be known of its end before it begins. The disk may
 * be full then all the same.
 *
 * Return: 0 or a negative errno.
 */
int file_can_replace(const char *path, struct diag *diag);

/**
 * file_replace() - write a file, whole or not at all
 * @path: is replaced by renaming, so that neither a reader nor a failure ever meets half
 *        of it; its permissions are those of a new file. What is there and is no regular
 *        file, such as a terminal or a pipe, is written to as it is; "-" is standard output
 * @write: gives the contents to a descriptor. Return: 0 or a negative errno, which
 *         it has said to @diag
 * @arg: for @write
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int file_replace(const char *path, int (*write)(int fd, void *arg, struct diag *diag),
		 void *arg, struct diag *diag);

#endif /* USTACK_USER_FILE_H */
