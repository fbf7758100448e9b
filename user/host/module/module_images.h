/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's own list of its images, /proc/ustack/images (kmod/procfs.c), read line by line. */
#ifndef USTACK_USER_MODULE_IMAGES_H
#define USTACK_USER_MODULE_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#define MODULE_IMAGES "/proc/ustack/images"

/* Room for a line: a path of PATH_MAX bytes, each escaped, is longer and is cut. */
#define MODULE_IMAGES_LINE 4096

/**
 * struct module_image - a line of the list
 * @dev: device as the kernel numbers it: the minor number has the lower 20 bits
 * @ino: inode number
 * @size: bytes of the file
 * @users: mappings that have it
 * @state: "own" or "loaded", where its table is from; else why it has none
 * @has_table: @state is one of the two
 * @rows: rows of its table
 * @lost: functions that have no rows, as these could not be read
 * @bytes: bytes of memory of its table
 * @build_id: hexadecimal; "" if the file has none
 * @path: as the module writes it: what is not to be printed is written as \ooo. Part of the line
 */
struct module_image {
	uint64_t dev, ino, size;
	int64_t users;
	char state[64];
	bool has_table;
	uint32_t rows, lost;
	uint64_t bytes;
	char build_id[80];
	const char *path;
};

/**
 * module_images_line() - read a line of the list
 * @line: with or without its newline, which it loses
 * @ret: borrows from @line
 *
 * Return: false if it is none.
 */
bool module_images_line(char *line, struct module_image *ret);

#endif /* USTACK_USER_MODULE_IMAGES_H */
