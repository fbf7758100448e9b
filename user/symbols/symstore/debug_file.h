/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds a file's separate debug file: by build id or by .gnu_debuglink. */
#ifndef USTACK_USER_SYMSTORE_DEBUG_FILE_H
#define USTACK_USER_SYMSTORE_DEBUG_FILE_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The folders that are searched if the user names none; ends with NULL. */
extern const char *const debug_default_dirs[];

/**
 * debug_by_build_id() - find a debug file as DIR/.build-id/ab/cdef.debug
 * @dirs: folders, ends with NULL
 * @build_id: the build id, @len bytes
 * @len: number of bytes; below 2 there is no such file
 * @ret: path of the debug file, if true is returned
 *
 * Return: whether one of the folders has such a file.
 */
bool debug_by_build_id(const char *const *dirs, const uint8_t *build_id, unsigned int len,
		       char ret[PATH_MAX]);

/**
 * debug_by_link() - find the debug file that .gnu_debuglink names (gdb's manual,
 * "Debugging Information in Separate Files")
 * @fd: descriptor of the file
 * @path: path of the file as its users see it. The debug file is beside it, in .debug
 *        beside it, or in the same folder below one of @dirs
 * @dirs: folders, ends with NULL
 * @ret: path of the debug file, if true is returned
 *
 * Reads files of users, which may be damaged: call it in a jail.
 *
 * Return: whether there is such a file with the right build id, or if the file has no
 * build id, with the right checksum.
 */
bool debug_by_link(int fd, const char *path, const char *const *dirs, char ret[PATH_MAX]);

/**
 * debug_is_of() - check the build id of a debug file
 * @path: path of the debug file
 * @build_id: the build id, @len bytes
 * @len: number of bytes, at least 1
 *
 * A name by build id does not prove the content. Call it in a jail, as debug_by_link().
 *
 * Return: whether the debug file has this build id.
 */
bool debug_is_of(const char *path, const uint8_t *build_id, unsigned int len);

/* Whether the file itself has .debug_info. Call it in a jail, as debug_by_link(). */
bool debug_is_own(int fd);

/**
 * debug_start() - find the start address of a file by its debug file alone
 * @fd: descriptor of the debug file
 * @ret: if true is returned, the link-time address of the file's first byte: the first
 *       segment's address minus its offset, the same as symstore_base() of the file
 *
 * Debug files have no code and data. If all bytes of the first segment were removed, its
 * offset means nothing. Call it in a jail, as debug_by_link().
 *
 * Return: whether the address is known.
 */
bool debug_start(int fd, uint64_t *ret);

#endif /* USTACK_USER_SYMSTORE_DEBUG_FILE_H */
