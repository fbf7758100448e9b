/* SPDX-License-Identifier: MIT */
/*
 * A whole file, mapped to be read. Who truncates it while it is mapped kills its readers
 * (SIGBUS): for files that are too large to copy, see util/file.h for others.
 */
#ifndef USTACK_USER_MAP_H
#define USTACK_USER_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/**
 * struct map - the file
 * @bytes: NULL before map_open() and after map_release()
 * @len: bytes of them
 */
struct map {
	const uint8_t *bytes;
	size_t len;
};

/**
 * map_open() - map a file
 * @map: of zeros; released by map_release()
 * @path: regular file that is not empty; or "-", standard input, see file_descriptor()
 * @diag: may be NULL
 *
 * Return: 0; -EINVAL if it is not regular; -EBADMSG if it is empty; another negative
 * errno.
 */
int map_open(struct map *map, const char *path, struct diag *diag);

/**
 * map_descriptor() - map a file that is open
 * @map: of zeros; released by map_release()
 * @fd: open for reading; may be closed afterwards
 * @path: for messages
 * @diag: may be NULL
 *
 * Return: see map_open().
 */
int map_descriptor(struct map *map, int fd, const char *path, struct diag *diag);

/* One of zeros is fine. */
void map_release(struct map *map);
/* Give pages back: they are read again when they are used again. */
void map_drop(const struct map *map);

#endif /* USTACK_USER_MAP_H */
