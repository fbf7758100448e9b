/* SPDX-License-Identifier: MIT */
/*
 * A whole file, mapped for reading. If somebody truncates it while it is
 * mapped, its readers are killed by SIGBUS. This is for files that are too
 * large to copy; for others there is util/file.h.
 */
#ifndef USTACK_USER_MAP_H
#define USTACK_USER_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/**
 * struct map - a mapped file
 * @bytes: contents; NULL before map_open() and after map_release()
 * @len: number of bytes in @bytes
 */
struct map {
	const uint8_t *bytes;
	size_t len;
};

/**
 * map_open() - map a file
 * @map: all zeros; released by map_release()
 * @path: regular file that is not empty; or "-", standard input, see
 *        file_descriptor()
 * @diag: may be NULL
 *
 * Return: 0; -EINVAL if it is not a regular file; -EBADMSG if it is empty;
 * another negative errno.
 */
int map_open(struct map *map, const char *path, struct diag *diag);

/**
 * map_descriptor() - map a file that is open
 * @map: all zeros; released by map_release()
 * @fd: open for reading; may be closed afterwards
 * @path: name for messages
 * @diag: may be NULL
 *
 * Return: see map_open().
 */
int map_descriptor(struct map *map, int fd, const char *path, struct diag *diag);

/* A struct map of all zeros is fine, too. */
void map_release(struct map *map);
/* Drops the pages from memory: they are read again when they are used again. */
void map_drop(const struct map *map);

#endif /* USTACK_USER_MAP_H */
