/* SPDX-License-Identifier: GPL-2.0-only */
/* A file's separate debug file: by build id or by .gnu_debuglink. */
#ifndef USTACK_USER_SYMSTORE_DEBUG_H
#define USTACK_USER_SYMSTORE_DEBUG_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * debug_by_build_id() - the path of a debug file: DIR/.build-id/ab/cdef.debug
 * @dirs: ends with NULL
 * @build_id: first @len bytes
 * @len: at least 2, or there is none
 * @ret: on true
 *
 * Return: whether there is a file of that name in one of them.
 */
bool debug_by_build_id(const char *const *dirs, const uint8_t *build_id, unsigned int len,
		       char ret[PATH_MAX]);

/**
 * debug_by_link() - the debug file that .gnu_debuglink names (gdb's manual, "Debugging
 * Information in Separate Files")
 * @fd: the file
 * @path: of the file, as its users see it: NAME beside it, in .debug beside it, and
 *        in the same folder below each of @dirs
 * @dirs: ends with NULL
 * @ret: on true
 *
 * Reads what users have written: call it where that may go wrong.
 *
 * Return: whether there is such a file with the right build id, or where the file has
 * none, with the right checksum.
 */
bool debug_by_link(int fd, const char *path, const char *const *dirs, char ret[PATH_MAX]);

/**
 * debug_is_of() - whether a debug file has a build id
 * @path: of it
 * @build_id: first @len bytes
 * @len: at least 1
 *
 * That a file's name says so is not enough. The same holds.
 */
bool debug_is_of(const char *path, const uint8_t *build_id, unsigned int len);

/* Whether the file has .debug_info itself. The same holds. */
bool debug_is_own(int fd);

/**
 * debug_start() - where a file starts, by its debug file alone
 * @fd: of it
 * @ret: on true: link-time address that the file's first byte has, or would have: its first
 *       segment's address less its offset, as symstore_base() has it of the file itself
 *
 * Who makes debug files takes bytes out, and where all of the first segment's are gone, its
 * offset says nothing any more. The same as of debug_is_of() holds.
 *
 * Return: whether that is known.
 */
bool debug_start(int fd, uint64_t *ret);

#endif /* USTACK_USER_SYMSTORE_DEBUG_H */
