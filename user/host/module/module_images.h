/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses the module's list of images, /proc/ustack/images (kmod/procfs.c), line by line. */
#ifndef USTACK_USER_MODULE_IMAGES_H
#define USTACK_USER_MODULE_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#define MODULE_IMAGES "/proc/ustack/images"

/* Room for a line; a path of PATH_MAX bytes with escapes is longer and is cut. */
#define MODULE_IMAGES_LINE 4096

/**
 * struct module_image - a line of the list
 * @dev: device number in the kernel's format: the minor number is in the lower 20 bits
 * @ino: inode number
 * @size: size of the file in bytes
 * @users: number of mappings of the image
 * @state: source of its table, "own" or "loaded"; else the reason why it has none
 * @has_table: @state is "own" or "loaded"
 * @rows: number of rows in its table
 * @lost: number of functions without rows, because they could not be read
 * @bytes: memory of its table in bytes
 * @build_id: build id in hexadecimal; "" if the file has none
 * @path: path as the module writes it, in the line: unprintable bytes are written as \ooo
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
 * module_images_line() - parse a line of the list
 * @line: the line, with or without a newline, which is removed
 * @ret: borrows from @line
 *
 * Return: false if the line has another format.
 */
bool module_images_line(char *line, struct module_image *ret);

#endif /* USTACK_USER_MODULE_IMAGES_H */
