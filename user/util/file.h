/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files opened for reading at offsets, and files that are replaced by renaming.
 *
 * Bytes are copied, never mapped: a mapped file that somebody truncates kills
 * its reader with SIGBUS. A pipe is read to its end when it is opened, so that
 * it can be read at offsets, too. "-" is standard input; it can be opened any
 * number of times, even if it is a pipe.
 */
#ifndef USTACK_USER_FILE_H
#define USTACK_USER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* A pipe that gives more bytes than this is refused. No section may be larger. */
#define FILE_MAX_PIPE (256u << 20)

/**
 * struct file - an open file
 * @path: name for messages; borrowed
 * @fd: descriptor, -1 when closed
 * @size: bytes of the file
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
 * file_descriptor() - open a file for a caller that needs a descriptor
 * @path: "-" is standard input. If that is a pipe, it is copied into memory
 *        once, up to FILE_MAX_PIPE bytes. Each descriptor of it is then one of
 *        a regular file, which can be mapped; all of them share one file
 *        position
 * @flags: flags of open(2) in addition to O_RDONLY and O_CLOEXEC
 * @diag: may be NULL
 *
 * Context: one thread at a time.
 *
 * Return: a descriptor that the caller closes; a negative errno; -EFBIG for a
 * pipe that gives too much.
 */
int file_descriptor(const char *path, int flags, struct diag *diag);

/**
 * file_open() - open a file for reading
 * @file: holds FILE_INIT; released by file_release()
 * @path: see file_descriptor(); must outlive @file
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; -EISDIR for a directory.
 */
int file_open(struct file *file, const char *path, struct diag *diag);
void file_release(struct file *file);

/* Number of bytes from the start of a file by which its format is recognized. */
#define FILE_START_BYTES 4096u

/**
 * struct file_stream - a file that is read once, from start to end
 * @path: name for messages; borrowed
 * @fd: descriptor, -1 when closed; for a pipe it continues after @start
 * @regular: the file can be read at offsets by pread(2), and has @size bytes
 * @size: bytes of a regular file, 0 for a pipe
 * @start: first bytes of the file; fewer than FILE_START_BYTES only if it has
 *         no more
 * @nr_start: number of bytes in @start
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
 * file_stream() - open a file to be read from start to end, and read its first
 * bytes
 * @path: see file_descriptor(); must outlive @ret. If it is "-",
 *        file_descriptor() still returns all of standard input afterwards,
 *        unless more than @ret->start was read
 * @ret: released by file_stream_release(), also on failure
 * @diag: may be NULL
 *
 * A pipe is not copied. This is for formats that are read piece by piece.
 *
 * Return: 0 or a negative errno; -EISDIR for a directory.
 */
int file_stream(const char *path, struct file_stream *ret, struct diag *diag);

/*
 * Copies the rest of a pipe, of which only @s->start was read, so that @s
 * becomes a regular file. Return: 0; -EFBIG above FILE_MAX_PIPE; another
 * negative errno.
 */
int file_stream_copy(struct file_stream *s, struct diag *diag);
void file_stream_release(struct file_stream *s);

/**
 * file_read() - read a whole range of a file
 * @file: open
 * @off: offset of the first byte
 * @buf: room for @len bytes
 * @len: bytes to read
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; -ENODATA if the file ends before the end of
 * the range.
 */
int file_read(const struct file *file, uint64_t off, void *buf, size_t len,
	      struct diag *diag);

/**
 * file_read_new() - read a range into new memory
 * @file: open
 * @off: offset of the first byte
 * @len: bytes to read
 * @ret: freed by the caller; exactly @len bytes, so that sanitizers notice a
 *       reader that goes further
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int file_read_new(const struct file *file, uint64_t off, size_t len,
		  uint8_t **ret, struct diag *diag);

/*
 * Raises the limit of open files to what this process is allowed: perf takes a
 * descriptor for each event and CPU, the store of symbols one for each file
 * that it meets.
 */
void file_raise_limit(void);

/**
 * file_write_all() - write a whole buffer
 * @fd: open for writing; written at its current position
 * @buf: bytes to write
 * @len: number of bytes in @buf
 *
 * Return: 0 or a negative errno; -EIO if write(2) takes nothing any more.
 */
int file_write_all(int fd, const void *buf, size_t len);

/**
 * file_can_replace() - could file_replace() write this file?
 * @path: see file_replace()
 * @diag: may be NULL
 *
 * For work that takes long: a path that cannot be written is reported before
 * the work begins. The disk may still be full at the end.
 *
 * Return: 0 or a negative errno.
 */
int file_can_replace(const char *path, struct diag *diag);

/**
 * file_replace() - write a file, completely or not at all
 * @path: replaced by renaming, so that readers never see half of it, and a
 *        failure leaves the old file. The permissions are those of a new file.
 *        If something exists that is no regular file, such as a terminal or a
 *        pipe, it is written to directly. "-" is standard output
 * @write: writes the contents to a descriptor. Return: 0 or a negative errno,
 *         after it has filled @diag
 * @arg: passed to @write
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int file_replace(const char *path, int (*write)(int fd, void *arg, struct diag *diag),
		 void *arg, struct diag *diag);

#endif /* USTACK_USER_FILE_H */
